// The importers of `ridethrough init` on the files as the distributions ship them (scripts/test-tools.sh takes them out of their
// packages).
import { expect } from 'chai';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { skipFor } from '../../fixtures/skip.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const files = fileURLToPath(
  new URL('../../../../node_modules/.cache/ridethrough-tools/files', import.meta.url),
);

const missing = (path: string): string =>
  `there is no ${path}, which scripts/test.sh takes out of its package`;

describe('init on the files of Debian', () => {
  it('carries upsmon.conf of nut-client, with the MONITOR line of an operator', async function () {
    const nut = join(files, 'nut-client/etc/nut');
    skipFor(this, !existsSync(nut) && missing(nut));
    const folder = temporaryFolder();
    cpSync(nut, folder, { recursive: true });
    const none = await ridethrough(['init', '--from-upsmon', folder, '--output', '-']);
    expect(none).to.include({ code: 1 });
    expect(none.err).to.contain('has no MONITOR line');
    const conf = join(folder, 'upsmon.conf');
    writeFileSync(conf, `${readFileSync(conf, 'utf8')}\nMONITOR ups@localhost 1 upsmon hunter2 master\n`);
    const { code, out, err } = await ridethrough(['init', '--from-upsmon', folder, '--output', '-']);
    expect(code, err).to.equal(0);
    for (const line of [
      /^check_interval = 5 /m,
      /^failsafe_delay = 15 /m,
      /^low_battery_threshold = 0 /m,
      /^critical_runtime_threshold = 0 /m,
      /^command = \["\/sbin\/shutdown", "-h", "\+0"\]/m,
      /^hostsync = 15 /m,
      /^powerdown_flag = "\/etc\/killpower"/m,
      /^nut_role = "primary"$/m,
      /^# Not carried: upsmon.conf line \d+, FINALDELAY: /m,
    ])
      expect(out).to.match(line);
    expect(err).to.contain('NOCOMMWARNTIME').and.to.contain('RBWARNTIME');
    expect(out + err)
      .not.to.contain('hunter2')
      .and.not.to.contain('not known to ridethrough');
  });

  it('carries apcupsd.conf, with its scripts as hooks', async function () {
    const conf = join(files, 'apcupsd/etc/apcupsd/apcupsd.conf');
    skipFor(this, !existsSync(conf) && missing(conf));
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'apcupsd'));
    cpSync(join(conf, '..'), join(folder, 'apcupsd'), { recursive: true });
    const copy = join(folder, 'apcupsd/apcupsd.conf');
    const text = readFileSync(copy, 'utf8').replace(/^SCRIPTDIR .*/m, `SCRIPTDIR ${join(folder, 'apcupsd')}`);
    writeFileSync(copy, text);
    const { code, out, err } = await ridethrough([
      'init',
      ...['--from-apcupsd', copy, '--ups', 'ups@localhost', '--output', '-'],
    ]);
    expect(code, err).to.equal(0);
    for (const line of [
      /^low_battery_threshold = 5 /m,
      /^critical_runtime_threshold = 180 /m,
      /^enabled = false +# TIMEOUT is off$/m,
      /^# Not carried: apcupsd.conf line \d+, ONBATTERYDELAY 6: /m,
      /usbhid-ups/,
    ])
      expect(out).to.match(line);
    const hooks = [...out.matchAll(/^on = (.*)\n(?:after = (\d+)\n)?/gm)].map(([, on, after]) => [on, after]);
    expect(hooks).to.deep.equal([
      ['["ON_BATTERY"]', '6'],
      ['["POWER_RESTORED"]', undefined],
      ['["CONNECTION_LOST"]', undefined],
      ['["CONNECTION_RESTORED"]', undefined],
      ['["BATTERY_REPLACE"]', undefined],
    ]);
    expect(err).not.to.contain('the final command');
    expect(err).not.to.contain('not known to ridethrough');
  });
});
