// The time that the battery gave, over outages that follow each other.
import { expect } from 'chai';
import { longestHoldMs } from '../../../shared/domain/triggers/hold.js';
import type { BatteryTime, BatteryUse } from '../../../supervisor/policy/battery-time.js';
import { batteryTimeAfter, batteryTimeMs, noBatteryTime } from '../../../supervisor/policy/battery-time.js';

interface Phase {
  readonly use: BatteryUse;
  readonly seconds: number;
  readonly charge: number | null;
  /** No reading in it. */
  readonly isUnread?: boolean;
}

/** Of a driver that does not say how long it shows a value. */
const shownMs = 60_000;

/** A reading a second; returns the sum in seconds at the end of each phase. */
function sums(...phases: readonly Phase[]): readonly number[] {
  let time: BatteryTime = batteryTimeAfter(
    noBatteryTime,
    'charges',
    phases[0]?.charge ?? null,
    () => shownMs,
    0,
  );
  let second = 0;
  return phases.map(({ use, seconds, charge, isUnread = false }) => {
    const until = second + seconds;
    if (isUnread) second = until;
    for (; second < until; second += 1)
      time = batteryTimeAfter(time, use, charge, () => shownMs, second * 1000);
    return Math.round(batteryTimeMs(time, until * 1000) / 100) / 10;
  });
}

const battery = (seconds: number, charge: number | null): Phase => ({ use: 'gives', seconds, charge });
const line = (seconds: number, charge: number | null): Phase => ({ use: 'charges', seconds, charge });
const times = (count: number, ...phases: readonly Phase[]) =>
  Array.from({ length: count }, () => phases).flat();

describe('the time that the battery gave', () => {
  it('grows on battery, falls by a tenth of the time on line power, and stands in bypass', () => {
    const bypass: Phase = { use: 'rests', seconds: 60, charge: null };
    expect(sums(battery(50, null), bypass, line(100, null), battery(10, null))).to.deep.equal([
      50, 50, 40, 50,
    ]);
    expect(
      sums(battery(5, null), line(49, null), line(1, null), line(100, null), battery(1, null)),
    ).to.deep.equal([5, 0.1, 0, 0, 1]);
  });

  it('adds up without a gauge: 50 s on battery and 55 s on line power reach 15 min within 40 min', () => {
    const all = sums(...times(23, battery(50, null), line(55, null)));
    expect(all.findIndex((sum) => sum > 900)).to.equal(40);
  });

  it('stays small in flickers of 2 s in 20 s with a full battery, however long they last', () => {
    const all = sums(...times(5_000, battery(2, 100), line(18, 100)));
    expect(Math.max(...all)).to.be.below(65);
  });

  it('is 0 once a charge that fell is back for more than a minute on line power, and not before', () => {
    const fell = [line(10, 90), battery(600, 70), line(600, 89)];
    expect(sums(...fell).at(-1)).to.equal(540);
    expect(sums(...fell, line(61, 90)).at(-1)).to.equal(533.9);
    expect(sums(...fell, line(62, 90)).at(-1)).to.equal(0);
  });

  it('does not believe a gauge that never falls, nor a charge of 0', () => {
    expect(sums(battery(92, 100), line(200, 100)).at(-1)).to.equal(72);
    expect(sums(battery(92, 100), line(200, 100), battery(2, 100), line(200, 100)).at(-1)).to.equal(54);
    expect(sums(battery(90, 100), line(62, 100)).at(-1)).to.equal(0);
    expect(sums(battery(200, 100), battery(1, 99), line(62, 100)).at(-1)).to.equal(0);
    expect(sums(line(5, 0), battery(90, 0), line(100, 0)).at(-1)).to.equal(80);
  });

  it('believes a gauge that has not fallen in 90 s, and not in longer', () => {
    const gauge = (gaveMs: number) => {
      const begun = batteryTimeAfter(noBatteryTime, 'gives', 100, () => shownMs, 1_000);
      return batteryTimeAfter(begun, 'gives', 100, () => shownMs, 1_000 + gaveMs).gauge;
    };
    expect([gauge(90_000), gauge(90_001)]).to.deep.equal(['unproven', 'silent']);
  });

  it('is not kept by a time without readings, in which nothing was seen not to fall', () => {
    expect(sums(battery(20, 100), { ...battery(7_200, 100), isUnread: true }, line(62, 100)).at(-1)).to.equal(
      0,
    );
  });

  it('is 0 when it begins', () => {
    const begun = batteryTimeAfter(noBatteryTime, 'gives', 100, () => shownMs, 5_000);
    expect([4_999, 5_000, 5_001].map((nowMs) => batteryTimeMs(begun, nowMs))).to.deep.equal([0, 0, 1]);
  });

  it('grows on battery although the charge does not fall', () => {
    expect(sums(battery(1_000, 100))).to.deep.equal([1_000]);
  });

  it('measures from the charge before the first of the outages', () => {
    const again = [line(5, 80), battery(300, 60), line(60, 70), battery(10, 70), line(200, 70)];
    expect(sums(...again).at(-1)).to.equal(284);
  });

  it('keeps what was given in the last minute when the charge was measured before it', () => {
    const flickers = times(8, battery(10, 90), line(1, 90));
    expect(Math.max(...sums(line(5, 90), ...flickers))).to.equal(69.9);
    expect(sums(line(5, 90), ...flickers).at(-1)).to.equal(59.9);
  });

  it('believes a charge once its driver has read it again', () => {
    const after = (holdMs: number): number => {
      let time = batteryTimeAfter(noBatteryTime, 'charges', 90, () => holdMs, 0);
      for (const [use, percent, second] of [
        ['gives', 80, 1],
        ['charges', 90, 101],
        ['charges', 90, 110],
      ] as const)
        time = batteryTimeAfter(time, use, percent, () => holdMs, second * 1000);
      return Math.round(batteryTimeMs(time, 110_000) / 1000);
    };
    expect([after(8_000), after(9_000), after(60_000)]).to.deep.equal([0, 99, 99]);
    const shown = (variables: Record<string, string>, valueMs: number | null = null) =>
      longestHoldMs(variables, { valueMs, statusMs: null }) / 1000;
    expect([shown({}), shown({ 'driver.name': 'snmp-ups' }), shown({}, 5_000)]).to.deep.equal([60, 32, 5]);
    expect(shown({ 'driver.parameter.pollinterval': '4' })).to.equal(4);
  });
});
