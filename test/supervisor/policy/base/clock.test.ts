// The clock of policy never goes back, and unwatched time counts for nothing.
import { expect } from 'chai';
import { advanced, clockAtStart, resumed, unseenMs } from '../../../../supervisor/policy/base/clock.js';
import { neverPolled, pollSucceeded } from '../../../../supervisor/policy/connection/connection.js';
import { connectionFacts } from '../../../../supervisor/policy/view/ups-facts.js';
import type { Connection } from '../../../../supervisor/policy/connection/connection.js';

describe('the clock of policy', () => {
  const clock = { monotonicMs: 10_000, watchedMs: 500, lookingSinceMs: 0, unixSeconds: 7 };

  it('advances with its inputs', () => {
    expect(advanced(clock, { monotonicMs: 10_250, unixSeconds: 8 })).to.deep.equal({
      monotonicMs: 10_250,
      watchedMs: 750,
      lookingSinceMs: 0,
      unixSeconds: 8,
    });
  });

  it('counts at most a second of a gap as watched', () => {
    const later = (ms: number) =>
      advanced(clock, { monotonicMs: 10_000 + ms, unixSeconds: 7 }).watchedMs - 500;
    expect([later(999), later(1_000), later(1_001), later(3_600_000)]).to.deep.equal([
      999, 1_000, 1_000, 1_000,
    ]);
  });

  it('never goes back, and takes wall time unchanged', () => {
    expect(advanced(clock, { monotonicMs: 9_000, unixSeconds: 1 })).to.deep.equal({
      ...clock,
      unixSeconds: 1,
    });
  });

  it('starts with no watched time', () => {
    expect(clockAtStart).to.deep.equal({ monotonicMs: 0, watchedMs: 0, lookingSinceMs: 0, unixSeconds: 0 });
  });

  it('counts no time of a stopped daemon as watched', () => {
    const back = resumed(clock, { monotonicMs: 20_000, unixSeconds: 17 });
    expect(back).to.deep.equal({ monotonicMs: 20_000, watchedMs: 500, lookingSinceMs: 0, unixSeconds: 17 });
  });

  it('restarts the unseen time after a gap of more than 15 s, within a run of the daemon or between two', () => {
    const after = (ms: number) => ({ monotonicMs: 10_000 + ms, unixSeconds: 7 });
    expect(advanced(clock, after(15_000))).to.include({ watchedMs: 1_500, lookingSinceMs: 0 });
    expect(advanced(clock, after(15_001))).to.include({ watchedMs: 1_500, lookingSinceMs: 1_500 });
    expect(resumed(clock, after(15_000))).to.include({ watchedMs: 500, lookingSinceMs: 0 });
    expect(resumed(clock, after(15_001))).to.include({ watchedMs: 500, lookingSinceMs: 500 });
  });

  it('counts the unseen time from the last good reading, or from the end of the last gap when that is later', () => {
    expect(unseenMs(200, clock)).to.equal(300);
    expect(unseenMs(200, { ...clock, lookingSinceMs: 450 })).to.equal(50);
  });
});

describe('a flapping connection', () => {
  const day = 24 * 60 * 60_000;
  const lost: Connection = { ...neverPolled, status: { kind: 'grace', sinceWatchedMs: 0 }, failedPolls: 1 };
  const grace = { enabled: true, durationMs: 60_000, flapThreshold: 2 };

  const changes = (before: Connection, after: Connection) =>
    connectionFacts(before, after).map(({ type }) => type);

  /** The events at the last of these recoveries. */
  function recoveries(...timesMs: readonly number[]): readonly string[] {
    let flaps = neverPolled.flaps;
    let lastChanges: readonly string[] = [];
    for (const atMs of timesMs) {
      const before = { ...lost, flaps };
      const after = pollSucceeded(before, grace, atMs);
      ({ flaps } = after);
      lastChanges = changes(before, after);
    }
    return lastChanges;
  }

  it('is reported with the recovery that reaches the threshold', () => {
    expect(recoveries(0)).to.deep.equal([]);
    expect(recoveries(0, 1_000)).to.deep.equal(['CONNECTION_FLAPPING']);
  });

  it('is reported with the first recovery when the threshold is 1', () => {
    const after = pollSucceeded(lost, { ...grace, flapThreshold: 1 }, 0);
    expect(changes(lost, after)).to.deep.equal(['CONNECTION_FLAPPING']);
  });

  it('does not count recoveries that are a day old', () => {
    expect(recoveries(0, day - 1)).to.deep.equal(['CONNECTION_FLAPPING']);
    expect(recoveries(0, day)).to.deep.equal([]);
  });

  it('is reported once, and again only after the count was below the threshold', () => {
    expect(recoveries(0, 1, 2)).to.deep.equal([]);
    expect(recoveries(0, 1, 2 * day)).to.deep.equal([]);
    expect(recoveries(0, 1, 2 * day, 2 * day + 1)).to.deep.equal(['CONNECTION_FLAPPING']);
  });
});
