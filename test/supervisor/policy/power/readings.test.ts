import { expect } from 'chai';
import { pollTimeout } from '../../../../supervisor/policy/connection/poll-timeout.js';
import { upsOf } from '../../../../supervisor/policy/state/state.js';
import type { Facts } from '../../../../shared/domain/triggers/trigger.js';
import { factsOf } from '../../../../supervisor/policy/state/ups-state.js';
import { reading, settingsOf, Stepper } from '../stream.js';

function facts({ state }: Stepper): Facts {
  const ups = upsOf(state, 'a');
  const found = ups === undefined ? null : factsOf(ups);
  if (found === null) throw new Error('not on battery');
  return found;
}

describe('a reading', () => {
  it('with a runtime of 1 s ends the rejection of a runtime of 0', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OL', { runtimeSeconds: 0 }), 1);
    stepper.polls('a', reading('OB', { runtimeSeconds: 0 }), 1);
    expect(facts(stepper).runtimeSeconds).to.equal(null);
    stepper.polls('a', reading('OB', { runtimeSeconds: 1 }), 1);
    expect(facts(stepper).runtimeSeconds).to.equal(1);
    stepper.polls('a', reading('OB', { runtimeSeconds: 0 }), 1);
    expect(facts(stepper).runtimeSeconds).to.equal(0);
  });

  it('without a charge has no depletion rate', () => {
    const stepper = new Stepper(settingsOf('ups a window=1m'));
    for (let charge = 100; charge > 60; charge -= 1)
      stepper.polls('a', reading('OB', { chargePercent: charge }), 1);
    expect(facts(stepper).depletionRate).to.equal(60);
    stepper.polls('a', reading('OB'), 1);
    expect(facts(stepper).depletionRate).to.equal(null);
  });
});

describe('the timeout of a poller', () => {
  const [ups] = settingsOf('ups a').ups;
  if (ups === undefined) throw new Error('no UPS');
  const at = (watchedMs: number) => ({ monotonicMs: 0, unixSeconds: 0, lookingSinceMs: 0, watchedMs });
  const missed = (checkIntervalMs: number, pollDeadlineMs: number, watchedMs: number) =>
    pollTimeout(
      { watchedMs: 0, waiting: false },
      0,
      { ...ups, checkIntervalMs, pollDeadlineMs },
      at(watchedMs),
    )?.missedPolls ?? null;

  it('starts an interval and a deadline after the last report', () => {
    expect(missed(1_000, 5_000, 6_000)).to.equal(null);
    expect(missed(1_000, 5_000, 6_001)).to.equal(1);
  });

  it('counts missed polls by the longer of interval and deadline', () => {
    expect(missed(1_000, 5_000, 20_000)).to.equal(4);
    expect(missed(60_000, 5_000, 120_000)).to.equal(2);
  });
});
