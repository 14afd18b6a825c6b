// The time spans of the history view, and their refresh intervals.

export interface Range {
  readonly name: string;
  readonly title: string;
  readonly seconds: number;
  readonly refreshMs: number;
}

const hour = 3600;
const day = 24 * hour;

/** The daemon writes readings every 10 s, five-minute and hourly values at their end. */
export const ranges: readonly [Range, ...Range[]] = [
  { name: '1 h', title: 'the last hour', seconds: hour, refreshMs: 15_000 },
  { name: '6 h', title: 'the last 6 hours', seconds: 6 * hour, refreshMs: 30_000 },
  { name: '24 h', title: 'the last 24 hours', seconds: day, refreshMs: 60_000 },
  { name: '7 d', title: 'the last 7 days', seconds: 7 * day, refreshMs: 300_000 },
  { name: '30 d', title: 'the last 30 days', seconds: 30 * day, refreshMs: 300_000 },
  { name: '1 y', title: 'the last year', seconds: 365 * day, refreshMs: 600_000 },
  { name: '5 y', title: 'the last 5 years', seconds: 1825 * day, refreshMs: 600_000 },
];
