// Checks the polls that a server received: how many came, how late each was, and which were skipped.

/** When each UPS was polled, in ms of one clock, in order. */
export type Arrivals = ReadonlyMap<string, readonly number[]>;

export interface PollFigures {
  readonly ups: number;
  /** One poll per interval of the window, over all UPSes. */
  readonly expected: number;
  readonly done: number;
  /** Complete intervals without a poll, over all UPSes. */
  readonly skipped: number;
  /** UPSes with skipped polls. */
  readonly upsWithSkips: readonly string[];
  /** Of each poll: how much later than the interval it came after the one before. */
  readonly lateMs: readonly number[];
}

/**
 * The interval of a daemon counts from the start of the last poll, so each lateness shifts all later polls: `done` may be
 * below `expected` by their sum without a skipped poll. Skipped are the intervals beyond the first between two polls, or
 * between a poll and the edge of the window.
 */
export function checkPolls(
  arrivals: Arrivals,
  window: { readonly fromMs: number; readonly toMs: number },
  intervalMs: number,
): PollFigures {
  const lateMs: number[] = [];
  const upsWithSkips: string[] = [];
  let done = 0;
  let skipped = 0;
  for (const [ups, all] of arrivals) {
    const times = all.filter((at) => at >= window.fromMs && at < window.toMs);
    done += times.length;
    const marks = [window.fromMs, ...times, window.toMs];
    let missed = 0;
    for (let index = 1; index < marks.length; index += 1) {
      const gapMs = (marks[index] ?? NaN) - (marks[index - 1] ?? NaN);
      missed += Math.max(0, Math.floor(gapMs / intervalMs) - 1);
      const betweenPolls = index > 1 && index < marks.length - 1;
      if (betweenPolls) lateMs.push(Math.max(0, gapMs - intervalMs));
    }
    skipped += missed;
    if (missed > 0) upsWithSkips.push(ups);
  }
  const perUps = Math.floor((window.toMs - window.fromMs) / intervalMs);
  return { ups: arrivals.size, expected: perUps * arrivals.size, done, skipped, upsWithSkips, lateMs };
}
