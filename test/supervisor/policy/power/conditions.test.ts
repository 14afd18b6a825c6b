// The conditions that each reading shows, and whether OFF stands beside OL at first.
import { expect } from 'chai';
import type { Conditions } from '../../../../supervisor/policy/power/conditions.js';
import {
  conditionsAfterStatus,
  noConditions,
  sameConditions,
} from '../../../../supervisor/policy/power/conditions.js';
import { reading, settingsOf, Stepper } from '../stream.js';

/** The conditions after readings of these words at these times, and where that is another one, asked for at this one. */
function after(holdMs: number, ...readings: readonly (readonly [number, string, number?])[]): Conditions {
  const confirming = { confirmations: 2, statusMs: () => holdMs };
  return readings.reduce(
    (before, [ms, words, askedMs = ms]) =>
      conditionsAfterStatus(before, words.split(' '), false, { ...confirming, askedMs }, ms),
    noConditions,
  );
}

describe('the conditions of a UPS', () => {
  it('are none before its first reading', () => {
    const [ups] = new Stepper(settingsOf('ups a')).state.ups;
    expect(ups?.conditions).to.include({ replaceBattery: false, lowBattery: false, overload: 'INACTIVE' });
  });

  it('have LB of the first reading on battery reported', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OB LB'), 1);
    expect(stepper.events).to.include('a LOW_BATTERY_FLAG');
  });

  it('have OFF beside OL explained once two readings have shown it for longer than the hold', () => {
    const off = (holdMs: number, ms: number) => after(holdMs, [0, 'OL OFF'], [ms, 'OL OFF']).offOnLineAtFirst;
    expect([off(2_000, 2_000), off(2_000, 2_001)]).to.deep.equal([null, true]);
  });

  it('count an answer as old as its request, and a first one from when it came', () => {
    const off = (askedMs: number) =>
      after(2_000, [500, 'OL OFF', 0], [9_000, 'OL OFF', askedMs]).offOnLineAtFirst;
    expect([off(2_500), off(2_501)]).to.deep.equal([null, true]);
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OL'), 1);
    const askedMs = stepper.nowMs + 1_000;
    stepper.wait(6_000);
    const poll = { kind: 'polled', at: stepper.at, groupId: 'a', outcome: reading('OL') } as const;
    const known = () => stepper.state.ups[0]?.conditions.offOnLineAtFirst;
    stepper.input({ ...poll, askedMs });
    expect(known(), 'the daemon stood still meanwhile').to.equal(null);
    stepper.input(poll);
    expect(known()).to.equal(false);
  });

  it('begin to wait again when OFF beside OL comes or goes before it is known', () => {
    expect(after(2_000, [0, 'OL OFF'], [1_000, 'OL'], [2_500, 'OL']).offOnLineAtFirst).to.equal(null);
    expect(after(2_000, [0, 'OL OFF'], [1_000, 'OL'], [3_001, 'OL']).offOnLineAtFirst).to.equal(false);
  });
});

describe('two conditions of a UPS', () => {
  const never = after(0, [0, 'OL'], [1, 'OL']);
  const always = after(0, [0, 'OL OFF'], [1, 'OL OFF']);

  it('have one snapshot where they differ in how well OL without OFF is known', () => {
    expect(sameConditions(noConditions, never)).to.equal(true);
    expect(sameConditions(after(2_000, [0, 'OL']), noConditions)).to.equal(true);
  });

  it('have one snapshot each where OFF stands beside OL in one of them, or another word does', () => {
    expect(sameConditions(always, never)).to.equal(false);
    expect(sameConditions(noConditions, always)).to.equal(false);
    expect(sameConditions(always, { ...always })).to.equal(true);
    expect(sameConditions(never, { ...never, overload: 'ACTIVE' })).to.equal(false);
  });
});
