// What a server saw of the polls of its UPSes, judged: how many came, how late each was, and which were left out.

/** When each UPS was asked, in ms of one clock, in order. */
export type Arrivals = ReadonlyMap<string, readonly number[]>;

export interface PollFigures {
  readonly ups: number;
  /** Polls that the window has room for, at one per interval, over all UPSes. */
  readonly expected: number;
  readonly done: number;
  /** Whole intervals in which a UPS was not asked, over all UPSes. */
  readonly skipped: number;
  /** UPSes that were not asked in every interval. */
  readonly upsWithSkips: readonly string[];
  /** Of each poll: how much longer than its interval it came after the one before. */
  readonly lateMs: readonly number[];
}

/**
 * A daemon asks every interval from the start of the last poll and never sooner, so each lateness moves all that follow:
 * `done` may stay below `expected` by the sum of them without a poll being left out. Left out are the intervals beyond
 * the first that lie between two polls, or between a poll and the edge of the window.
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
