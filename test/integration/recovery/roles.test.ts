// A host with a role at its NUT server whose power is back at the end of its shutdown: a real upsd, whose FSD stays.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { UpsChoice } from '../../fixtures/one-ups.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { RawClient } from '../../fixtures/raw-client.js';
import { nearlyEmpty, onBattery, onLine, RealUpsd } from '../../fixtures/real-upsd.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { journalRecords } from '../../fixtures/sequence-daemon.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { is, until } from '../../fixtures/until.js';
import { holdUmount } from '../../fixtures/ups-with-output.js';

const users = ['secondary', 'primary']
  .map((role) => `[${role}]\n password = xyz\n upsmon ${role}\n`)
  .join('');

describe('a host with a NUT role whose power is back at the end of its shutdown', () => {
  let folder: string;
  let upsd: RealUpsd;
  let daemon: RunningDaemon;

  beforeEach(async () => {
    folder = temporaryFolder();
    holdUmount(folder);
    upsd = await RealUpsd.start({ ups: { office: onLine, lab: onLine }, moreUsers: users });
  });
  afterEach(async () => {
    goOn();
    await daemon.stop();
    await upsd.stop();
  });

  const goOn = () => writeFileSync(join(folder, 'go-on'), '');
  const nameOf = (ups: string) => `${ups}@127.0.0.1:${String(upsd.port)}`;
  /** `ups` has the role; the office, whose tables follow, feeds this host. */
  const start = async (role: 'primary' | 'secondary', ups = 'office', enabled = true) => {
    const all: readonly UpsChoice[] = [{ name: 'lab' }, { name: 'office', local: true }];
    const text = configurationFor({
      port: upsd.port,
      checkInterval: 0.5,
      ups: all,
      more: `[nut]\nusername = "${role}"\npassword = "xyz"\nhostsync = 1
[ups.filesystems]\nsync_enabled = false\n[ups.filesystems.unmount]\nenabled = true\ntimeout = 60\nmounts = ["/mnt/nas"]
[recovery]\nenabled = ${String(enabled)}\n`,
    });
    const own = `name = "${nameOf(ups)}"\n`;
    daemon = await startDaemon({
      toml: text.replace(own, `${own}nut_role = "${role}"\n`),
      env: { PATH: `${folder}/bin:${process.env['PATH'] ?? ''}` },
    });
    await daemon.seesAll();
  };
  /** As the primary of the UPS does. */
  const setFsd = async (ups: string) => {
    const primary = await RawClient.connect(upsd.port);
    for (const line of ['USERNAME primary', 'PASSWORD xyz', `PRIMARY ${ups}`, `FSD ${ups}`])
      expect(await primary.ask(line)).to.match(/^OK/);
    primary.close();
  };
  const records = () => journalRecords(daemon.directory);
  const isHeld = () =>
    until(
      () =>
        records().some((entry) => entry.kind === 'stepBegan' && entry.step.includes('filesystem_unmount')),
      is(true),
    );
  const shows = (ups: string, words: string) =>
    until(
      async () => (await daemon.status()).ups.find(({ name }) => name === nameOf(ups))?.status ?? '',
      is(words),
    );
  const goesOn = async () => {
    goOn();
    const isOver = () => records().some((entry) => entry.kind === 'over' && entry.group.startsWith('office'));
    await until(isOver, is(true));
    return daemon.powerOffs().map(({ args }) => (args === '-r now' ? 'restart' : 'power-off'));
  };

  for (const enabled of [true, false])
    it(`as a secondary of a UPS whose primary has set FSD powers off, with recovery ${enabled ? 'on' : 'off'}`, async () => {
      await start('secondary', 'office', enabled);
      await upsd.rewrite('office', onBattery);
      await daemon.logged('ON_BATTERY');
      await setFsd('office');
      await isHeld();
      await upsd.rewrite('office', onLine);
      await shows('office', 'FSD OL');
      expect(await goesOn()).to.deep.equal(['power-off']);
      expect(records().some(({ kind }) => kind === 'restartChosen')).to.equal(false);
      if (enabled) await daemon.logged(`this host powers off: power of ${nameOf('office')} is not back`);
    });

  it('as a secondary of a UPS that feeds others, and shows FSD, powers off, and says why', async () => {
    await start('secondary', 'lab');
    await upsd.rewrite('office', nearlyEmpty);
    await isHeld();
    await setFsd('lab');
    await shows('lab', 'FSD OL');
    await upsd.rewrite('office', onLine);
    await daemon.logged('POWER_RESTORED');
    expect(await goesOn()).to.deep.equal(['power-off']);
    await daemon.logged(`power is back, and this host powers off all the same: ${nameOf('lab')} shows FSD`);
  });

  it('as the primary powers off once it has set FSD itself, and says why', async () => {
    await start('primary');
    await upsd.rewrite('office', nearlyEmpty);
    await isHeld();
    await until(() => records().some((entry) => entry.kind === 'stepEnded' && entry.step.includes('nut')));
    await upsd.rewrite('office', onLine);
    await shows('office', 'FSD OL');
    await daemon.logged('POWER_RESTORED');
    expect(await goesOn()).to.deep.equal(['power-off']);
    await daemon.logged(
      `power is back, and this host powers off all the same: ${nameOf('office')} shows FSD`,
    );
  });

  it('as a secondary restarts where nobody has set FSD', async () => {
    await start('secondary');
    await upsd.rewrite('office', nearlyEmpty);
    await isHeld();
    await upsd.rewrite('office', onLine);
    await daemon.logged('POWER_RESTORED');
    expect(await goesOn()).to.deep.equal(['restart']);
  });
});
