import { join } from 'node:path';
import { expect } from 'chai';
import type { BatteryHealthBody, BatteryHistoryBody } from '../../../shared/http/battery-bodies.js';
import { writeBatteryHistory } from '../../fixtures/battery-history.js';
import { Office } from '../../fixtures/office.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { is, until } from '../../fixtures/until.js';

describe('the health of a battery in a daemon', () => {
  const office = new Office();
  let directory: string;
  beforeEach(() => {
    directory = temporaryFolder();
  });

  async function start(
    more = '',
  ): Promise<{ restart: () => Promise<unknown>; get: <A>(path: string) => Promise<A | null> }> {
    const restart = (): Promise<unknown> => office.start({ apiPort: 0, more }, directory);
    await restart();
    const ups = encodeURIComponent(office.name);
    const get = async <A>(path: string): Promise<A | null> => {
      try {
        return (await (
          await fetch(`http://127.0.0.1:${String(office.daemon?.apiPort)}/api/v1/ups/${ups}/${path}`)
        ).json()) as A;
      } catch {
        return null;
      }
    };
    return { restart, get };
  }

  it('goes on from the history, in the API, the metrics and status, and is reported once', async () => {
    await writeBatteryHistory(join(directory, 'lib'), `office-127.0.0.1-${String(office.upsd.port)}`);
    const { restart, get } = await start('\n[battery_health]\nwarn_score = 90\n');
    const health = await until(
      () => get<BatteryHealthBody>('battery-health'),
      (body) => (body?.batteryHealth?.score ?? null) !== null,
    );
    expect(health?.batteryHealth?.score).to.be.within(50, 85);
    expect(health?.batteryHealth?.confidence).to.equal(1);
    expect(health?.batteryHealth?.replacement.state).to.equal('predicted');
    expect(health?.batteryHealth?.runtimeEstimate?.discharges).to.equal(10);
    const history = await get<BatteryHistoryBody>('battery-health/history?limit=3');
    expect(history?.discharges.map(({ cause, curve }) => [cause, curve.seconds.length > 50])).to.deep.equal([
      ['outage', true],
      ['outage', true],
      ['outage', true],
    ]);
    expect(history?.days.score.length).to.be.within(419, 422);
    const warnings = (): number => (office.daemon?.log() ?? '').split('BATTERY_HEALTH_WARNING').length - 1;
    await until(() => Promise.resolve(warnings()), is(1));
    const shown = await ridethrough(['status', '--socket', office.daemon?.controlSocket ?? '']);
    expect(shown.out).to.match(/battery health \d+ of 100 \(confidence 100 %\); replacement about \d{4}-/);
    await office.daemon?.kill();
    await restart();
    await until(
      () => get<BatteryHealthBody>('battery-health'),
      (body) => (body?.batteryHealth?.score ?? null) !== null,
    );
    expect(warnings()).to.equal(0);
  });

  it('records the curve of an outage across kill -9', async () => {
    const { restart, get } = await start();
    await until(
      () => get<BatteryHealthBody>('battery-health'),
      (body) => (body?.batteryHealth ?? null) !== null,
    );
    office.upsd.ups('office').set({ mainsVolts: 0 });
    await office.daemon?.logged('ON_BATTERY');
    const recorded = async (seconds: number): Promise<BatteryHistoryBody | null> =>
      until(
        () => get<BatteryHistoryBody>('battery-health/history'),
        (body) => (body?.discharges[0]?.seconds ?? 0) > seconds,
        undefined,
        1_000,
      );
    await recorded(29);
    await office.daemon?.kill();
    await restart();
    const going = await recorded(40);
    expect([going?.discharges.length, going?.discharges[0]?.end]).to.deep.equal([1, null]);
    expect(going?.discharges[0]?.curve.seconds.length).to.be.greaterThan(20);
  });
});
