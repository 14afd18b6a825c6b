// The spans of time a history can be looked at, and how often each is worth asking for anew.

export interface Range {
  readonly name: string;
  readonly title: string;
  readonly seconds: number;
  readonly askEveryMs: number;
}

const hour = 3600;
const day = 24 * hour;

/** Readings reach the history every 10 s, five-minute and hourly values when their time is over. */
export const ranges: readonly [Range, ...Range[]] = [
  { name: '1 h', title: 'the last hour', seconds: hour, askEveryMs: 15_000 },
  { name: '6 h', title: 'the last 6 hours', seconds: 6 * hour, askEveryMs: 30_000 },
  { name: '24 h', title: 'the last 24 hours', seconds: day, askEveryMs: 60_000 },
  { name: '7 d', title: 'the last 7 days', seconds: 7 * day, askEveryMs: 300_000 },
  { name: '30 d', title: 'the last 30 days', seconds: 30 * day, askEveryMs: 300_000 },
  { name: '1 y', title: 'the last year', seconds: 365 * day, askEveryMs: 600_000 },
  { name: '5 y', title: 'the last 5 years', seconds: 1825 * day, askEveryMs: 600_000 },
];
