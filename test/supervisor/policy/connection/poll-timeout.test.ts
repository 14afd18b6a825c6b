// Silence of a poller as failed polls.
import { expect } from 'chai';
import type { PolicyClock } from '../../../../supervisor/policy/base/clock.js';
import { failuresInARow, pollTimeout } from '../../../../supervisor/policy/connection/poll-timeout.js';
import { settingsOf } from '../stream.js';

const at = (watchedMs: number): PolicyClock => ({
  monotonicMs: 0,
  watchedMs,
  lookingSinceMs: 0,
  unixSeconds: 0,
});

/** Missed polls at `ms`; the last report came at 1 s, the last good reading at `goodMs`. */
function missed(ms: number, keys = '', goodMs = 1_000): number | null {
  const [ups] = settingsOf(`ups a ${keys}`).ups;
  if (ups === undefined) throw new Error('no UPS');
  const silent = pollTimeout({ watchedMs: 1_000, waiting: false }, goodMs, ups, at(ms));
  return silent === null ? null : silent.missedPolls;
}

describe('a silent poller', () => {
  it('is overdue after more than an interval and a deadline: 6 s by default', () => {
    expect([missed(7_000), missed(7_001)]).to.deep.equal([null, 1]);
    expect([missed(19_000, 'interval=8s'), missed(19_001, 'interval=8s')]).to.deep.equal([null, 1]);
  });

  it('counts a failed poll for each deadline since the last good reading, or for each interval that is longer', () => {
    expect([missed(10_999), missed(11_000), missed(15_999), missed(16_000)]).to.deep.equal([1, 2, 2, 3]);
    expect(missed(11_000, '', -9_000)).to.equal(4);
    const long = 'interval=30s';
    expect([missed(41_001, long), missed(60_999, long), missed(61_000, long)]).to.deep.equal([1, 1, 2]);
  });

  it('counts no more than the failed polls that were reported', () => {
    const silent = { missedPolls: 3, detail: 'TIMEOUT' } as const;
    expect([failuresInARow(2, null), failuresInARow(2, silent), failuresInARow(4, silent)]).to.deep.equal([
      2, 3, 4,
    ]);
  });

  it('is stale data where the driver says WAIT, else a timeout', () => {
    const [ups] = settingsOf('ups a').ups;
    if (ups === undefined) throw new Error('no UPS');
    const details = [true, false].map(
      (waiting) => pollTimeout({ watchedMs: 0, waiting }, 0, ups, at(9_000))?.detail,
    );
    expect(details).to.deep.equal(['DATA_STALE', 'TIMEOUT']);
  });
});
