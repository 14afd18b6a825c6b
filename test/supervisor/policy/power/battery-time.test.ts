// The time that the battery gave, over outages that follow each other.
import { expect } from 'chai';
import { longestHoldMs } from '../../../../shared/domain/triggers/hold.js';
import type { BatteryTime, BatteryUse } from '../../../../supervisor/policy/power/battery-time.js';
import {
  batteryTimeAfter,
  batteryTimeMs,
  noBatteryTime,
  sameBatteryTime,
  withTimeBefore,
} from '../../../../supervisor/policy/power/battery-time.js';

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
    0,
  );
  let second = 0;
  return phases.map(({ use, seconds, charge, isUnread = false }) => {
    const until = second + seconds;
    if (isUnread) second = until;
    for (; second < until; second += 1)
      time = batteryTimeAfter(time, use, charge, () => shownMs, second * 1000, second * 1000);
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
      const begun = batteryTimeAfter(noBatteryTime, 'gives', 100, () => shownMs, 1_000, 1_000);
      return batteryTimeAfter(begun, 'gives', 100, () => shownMs, 1_000 + gaveMs, 1_000 + gaveMs).gauge;
    };
    expect([gauge(90_000), gauge(90_001)]).to.deep.equal(['unproven', 'silent']);
  });

  it('knows nothing younger than the request of an answer that is handled late', () => {
    const late = (time: BatteryTime, use: BatteryUse, askedMs: number) =>
      batteryTimeAfter(time, use, 100, () => shownMs, 500_000, askedMs);
    const begun = batteryTimeAfter(noBatteryTime, 'gives', 100, () => shownMs, 1_000, 1_000);
    const gauges = [91_000, 91_001].map((askedMs) => late(begun, 'gives', askedMs).gauge);
    expect(gauges).to.deep.equal(['unproven', 'silent']);
    const left = (charge: number, askedMs: number, backMs = 0) => {
      const fell = batteryTimeAfter(begun, 'gives', charge, () => shownMs, 2_000, 2_000);
      const line = batteryTimeAfter(fell, 'charges', charge, () => shownMs, 81_000, 81_000);
      const back = batteryTimeAfter(line, 'charges', 100, () => shownMs, 81_000 + backMs, 81_000 + backMs);
      return batteryTimeMs(late(back, 'charges', askedMs), 500_000);
    };
    expect([left(99, 241_000, 100_000), left(99, 241_001, 100_000)], 'that fell').to.deep.equal([38_100, 0]);
    expect([left(100, 141_000), left(100, 141_001)], 'never below').to.deep.equal([18_100, 0]);
  });

  it('grows and falls between the requests of answers that are handled late', () => {
    const at = (time: BatteryTime, use: BatteryUse, second: number) =>
      batteryTimeAfter(time, use, null, () => shownMs, 1_000_000, second * 1_000);
    const begun = batteryTimeAfter(noBatteryTime, 'gives', null, () => shownMs, 1_000, 1_000);
    const ended = at(at(begun, 'gives', 20), 'charges', 31);
    expect(batteryTimeMs(ended, 131_000)).to.equal(20_000);
    const again = at(at(ended, 'charges', 60), 'gives', 131);
    expect(batteryTimeMs(again, 141_000)).to.equal(30_000);
  });

  it('is not kept by a time without readings, in which nothing was seen not to fall', () => {
    expect(sums(battery(20, 100), { ...battery(7_200, 100), isUnread: true }, line(62, 100)).at(-1)).to.equal(
      0,
    );
  });

  it('is 0 when it begins', () => {
    const begun = batteryTimeAfter(noBatteryTime, 'gives', 100, () => shownMs, 5_000, 5_000);
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
      let time = batteryTimeAfter(noBatteryTime, 'charges', 90, () => holdMs, 0, 0);
      for (const [use, percent, second] of [
        ['gives', 80, 1],
        ['charges', 90, 101],
        ['charges', 90, 110],
      ] as const)
        time = batteryTimeAfter(time, use, percent, () => holdMs, second * 1000, second * 1000);
      return Math.round(batteryTimeMs(time, 110_000) / 1000);
    };
    expect([after(8_000), after(9_000), after(60_000)]).to.deep.equal([0, 99, 99]);
    const shown = (variables: Record<string, string>, valueMs: number | null = null) =>
      longestHoldMs(variables, { valueMs, statusMs: null }) / 1000;
    expect([shown({}), shown({ 'driver.name': 'snmp-ups' }), shown({}, 5_000)]).to.deep.equal([60, 32, 5]);
    expect(shown({ 'driver.parameter.pollinterval': '4' })).to.equal(4);
  });
});

describe('the sum of the time that the battery gave', () => {
  const sumOf = (use: BatteryUse, sumMs: number): BatteryTime => ({
    ...noBatteryTime,
    use,
    sumMs,
    sinceMs: 1_000,
  });
  const charging = (more: Partial<BatteryTime>): BatteryTime => ({
    ...sumOf('charges', 100_000),
    fullPercent: 90,
    fullSinceMs: 1_000,
    gauge: 'falls',
    ...more,
  });
  const after = (time: BatteryTime, use: BatteryUse, percent: number | null, nowMs: number) =>
    batteryTimeAfter(time, use, percent, () => 8_000, nowMs, nowMs);

  it('falls to 0 and not below', () => {
    expect(
      [0, 9_990, 10_000, 20_000].map((ms) => batteryTimeMs(sumOf('charges', 1_000), 1_000 + ms)),
    ).to.deep.equal([1_000, 1, 0, 0]);
  });

  it('has what the battery gave before a reading showed it, less what it has not given', () => {
    const given = (givenMs: number) => withTimeBefore(sumOf('gives', 5_000), givenMs, 4_000);
    expect([given(2_000), given(-8_000), given(-9_000)].map(({ sumMs }) => sumMs)).to.deep.equal([
      10_000, 0, 0,
    ]);
    expect(given(2_000).sinceMs).to.equal(4_000);
    expect(given(0)).to.deep.equal(sumOf('gives', 5_000));
  });

  it('begins with the last charge above 0 before it, and forgets at 0 what the gauge has shown', () => {
    const before = { ...sumOf('charges', 0), fullPercent: 80, gauge: 'falls', fullSinceMs: 1_000 } as const;
    const full = (percent: number | null) => after(before, 'charges', percent, 2_000);
    expect([90, 70, 1, 0.5, 0, null].map((percent) => full(percent).fullPercent)).to.deep.equal([
      90, 70, 1, 0.5, 80, 80,
    ]);
    expect(full(90)).to.deep.include({ sumMs: 0, gauge: 'unproven', fullSinceMs: null });
    expect(after(sumOf('charges', 1), 'charges', 90, 1_005)).to.deep.include({ sumMs: 1 });
    const over = after({ ...before, sumMs: 100 }, 'charges', 85, 2_000);
    expect(over).to.deep.include({ sumMs: 0, fullPercent: 85, gauge: 'unproven', fullSinceMs: null });
  });

  it('stays what it was by a reading without a charge', () => {
    const time = { ...sumOf('gives', 100_000), fullPercent: 90 };
    expect(after(time, 'gives', null, 2_000)).to.equal(time);
    expect(after(sumOf('gives', 0), 'gives', null, 2_000).fullPercent).to.equal(null);
  });

  it('is measured against any charge above 0', () => {
    const time = { ...sumOf('gives', 1_000), fullPercent: 1 };
    expect(after(time, 'gives', 1, 2_000)).to.deep.include({ gauge: 'unproven', fullSinceMs: 2_000 });
    expect(after({ ...time, fullPercent: 0 }, 'gives', 0, 2_000)).to.deep.include({
      gauge: 'falls',
      fullSinceMs: null,
    });
  });

  it('is 0 once line power and the charge have lasted for longer than the hold', () => {
    expect(after(charging({}), 'charges', 90, 9_000).sumMs).to.equal(100_000);
    expect(after(charging({}), 'charges', 90, 9_001)).to.deep.include({ sumMs: 0 });
    expect(after(charging({ gauge: 'silent' }), 'charges', 90, 9_001).sumMs).to.equal(100_000);
    expect(batteryTimeMs(after(charging({}), 'charges', 90, 9_001), 9_001)).to.equal(0);
  });

  it('is the hold at most where line power has not lasted for longer than it', () => {
    const sum = (sumMs: number, chargedMs: number) => {
      const nowMs = 100_000;
      const time = charging({ sumMs, sinceMs: nowMs - chargedMs });
      return batteryTimeMs(after(time, 'charges', 90, nowMs), nowMs);
    };
    expect([sum(50_000, 8_000), sum(50_000, 8_001)]).to.deep.equal([8_000, 0]);
    expect([sum(9_000, 2_000), sum(8_000, 2_000)]).to.deep.equal([8_000, 7_800]);
    const exact = charging({ sumMs: 8_000, sinceMs: 100_000 });
    expect(after(exact, 'charges', 90, 100_000)).to.equal(exact);
  });

  it('is the same for a snapshot while nothing has been given and nothing is', () => {
    const none = sumOf('charges', 0);
    expect(sameBatteryTime(none, { ...none, fullPercent: 90 })).to.equal(true);
    const gives = sumOf('gives', 0);
    expect(sameBatteryTime(gives, gives)).to.equal(true);
    expect(sameBatteryTime(gives, { ...gives, sinceMs: 2_000 })).to.equal(false);
    expect(sameBatteryTime(none, sumOf('rests', 0))).to.equal(false);
    expect(sameBatteryTime(none, sumOf('charges', 1))).to.equal(false);
    expect(sameBatteryTime(sumOf('charges', 1), none)).to.equal(false);
    expect(sameBatteryTime(sumOf('charges', 1), sumOf('charges', 1))).to.equal(false);
  });
});
