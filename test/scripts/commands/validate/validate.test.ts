import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { validate } from '../../../../scripts/commands/validate/validate.js';
import type { UpsRow } from '../../../../shared/domain/status/status-model.js';
import type { ApiUnderTest } from '../../../workers/api/fixture.js';
import { answers, publishedUps, startedApi } from '../../../workers/api/fixture.js';
import { temporaryFolder } from '../../../fixtures/temporary-folder.js';
import { run } from '../run.js';

describe('ridethrough validate with a running daemon', () => {
  let api: ApiUnderTest;
  const readings: Record<string, string> = {};
  const commands = [
    { name: 'shutdown.return', description: 'Turn off the load and return when power is back' },
  ];
  let isListed = true;
  beforeEach(async () => {
    isListed = true;
    api = await startedApi({
      ask: (name, group, input) => {
        if (name === 'readings.get') return Promise.resolve({ ok: true, value: { readings } });
        if (name === 'control.commands' && isListed)
          return Promise.resolve({ ok: true, value: { supported: commands } });
        if (name === 'control.commands')
          return Promise.resolve({ ok: false, error: { code: 'NUT_ERROR', message: 'no answer' } });
        return answers(name, group, input);
      },
    });
  });
  afterEach(() => api.end());

  const full: Partial<UpsRow> = { batteryCharge: 100, runtime: 540, status: 'OL' };
  const warning = 'Office would last 9 min on a full battery, less than critical_runtime_threshold (10 min)';

  /** The output for a file, when the daemon has read `row` of its UPS. */
  async function printed(row: Partial<UpsRow>, more = '', ...args: string[]): Promise<string> {
    const ups = publishedUps(row);
    await api.publish({ ups: [ups] });
    const folder = dirname(api.socket);
    const file = join(folder, 'config.toml');
    const supervisor = `[supervisor]\nruntime_directory = "${folder}"\n`;
    writeFileSync(file, `[[ups]]\nname = "${ups.row.name}"\n${more}${supervisor}`);
    const { code, out } = await run(() => validate(['--config', file, ...args]));
    expect(code).to.equal(0);
    return out;
  }

  it('warns when a full battery lasts less than the threshold', async () => {
    expect(await printed(full)).to.contain(warning);
    const { warnings } = JSON.parse(await printed(full, '', '--json')) as { warnings: readonly string[] };
    expect(warnings.join('\n')).to.contain(warning);
  });

  it('uses the threshold of the file, not that of the daemon', async () => {
    const lower = '[triggers]\ncritical_runtime_threshold = 540\n';
    expect(await printed(full, lower)).not.to.contain('on a full battery');
  });

  it('names the triggers of the file that the UPS has no data for', async () => {
    const row: Partial<UpsRow> = { unavailableTriggers: ['CRITICAL_RUNTIME', 'DEPLETION'] };
    expect(await printed(row)).to.contain('so they cannot fire: short runtime, fast drain');
    const off = '[triggers]\ncritical_runtime_threshold = 0\n';
    expect(await printed(row, off)).to.contain('so they cannot fire: fast drain');
  });

  const output = '[ups_output]\noff_after_shutdown = true\n[nut_control]\npassword = "secret"\n';
  const withStart = (start: string, driver: string, ...args: string[]): Promise<string> => {
    Object.assign(readings, { 'driver.name': driver, 'ups.delay.shutdown': '20', 'ups.delay.start': start });
    return printed({}, output, ...args);
  };

  it('warns of an output that may not come back', async () => {
    const early =
      'the output after the shutdown: ups.delay.start reads 60, too early for an output that is cut after 120 s';
    expect(await withStart('60', 'usbhid-ups'))
      .to.contain(early)
      .and.to.contain('set ondelay in ups.conf');
    expect(await withStart('60', 'nutdrv_qx'))
      .to.contain('the output after the shutdown: ups.delay.start reads 60: below 180 s')
      .and.to.contain('try it once');
    expect(await withStart('-1', 'usbhid-ups')).to.contain('ups.delay.start reads -1: some UPSes');
  });

  it('says where it is not known, and nothing of an output that comes back', async () => {
    const unknown = 'not known whether it comes back: ';
    expect(await withStart('60', 'apcsmart'))
      .not.to.contain(unknown)
      .and.not.to.contain('ups.delay.start');
    expect(await withStart('0', 'usbhid-ups')).to.contain(`output      ${unknown}ups.delay.start reads 0`);
    isListed = false;
    expect(await withStart('60', 'apcsmart')).to.contain(
      `${unknown}the commands of the UPS are not listed here`,
    );
  });

  it('has each verdict with its reason as JSON', async () => {
    const { outputs } = JSON.parse(await withStart('60', 'apcsmart', '--json')) as { outputs: unknown };
    expect(outputs).to.deep.equal([
      {
        ups: 'office@127.0.0.1',
        verdict: 'returns',
        reason:
          'ups.delay.start reads 60: the start counts from the return of mains, by the documents of apcsmart',
      },
    ]);
  });

  it('does not warn about a battery that is not full or is discharging', async () => {
    expect(await printed({ ...full, batteryCharge: 98 })).not.to.contain('on a full battery');
    expect(await printed({ ...full, status: 'OB' })).not.to.contain('on a full battery');
    expect(await printed({ ...full, runtime: null })).not.to.contain('on a full battery');
  });
});

describe('ridethrough validate', () => {
  it('ends with 78 for an invalid file', async () => {
    const file = join(temporaryFolder(), 'config.toml');
    writeFileSync(file, '[[ups]]\nname = "office@localhost"\nspelled_wrong = true\n');
    const { code, out, err } = await run(() => validate(['--config', file]));
    expect([code, out]).to.deep.equal([78, '']);
    expect(err).to.contain(`${file} is not valid (one problem)`).and.to.contain('spelled_wrong');
  });
});
