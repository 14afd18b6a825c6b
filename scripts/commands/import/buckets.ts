// Sorts readings into the tier of their age and into whole buckets (shared/protocol/history-import.ts). One bucket is open at a
// time; a time that was complete already is not opened again, so that a clock set back adds nothing twice.
import type { MetricValues } from '../../../shared/domain/status/metrics.js';
import type { ImportedBucket, ImportedTier } from '../../../shared/protocol/history-import.js';
import { importedBucketSeconds } from '../../../shared/protocol/history-import.js';
import type { Retention } from '../../../shared/protocol/storage.js';

const hour = 3600;
const day = 86_400;
const cell = importedBucketSeconds.five_minute;

interface Sums {
  count: number;
  total: number;
  low: number;
  high: number;
}

type OpenBucket = { readonly at: number; readonly end: number } & (
  | { readonly tier: 'raw'; readonly rows: Map<number, MetricValues> }
  | { readonly tier: 'five_minute' | 'hourly'; readonly sums: (Sums | undefined)[] }
);

export class Buckets {
  readonly #emit: (bucket: ImportedBucket) => void;
  readonly #now: number;
  /** The first second of each tier, a whole hour. */
  readonly #from: Readonly<Record<ImportedTier, number>>;
  /** Complete times, a bit for every five minutes since the start of the hourly tier. */
  readonly #complete: Uint8Array;
  #open: OpenBucket | undefined;
  /** Readings before the hourly tier, later than now, and of a time that was complete already. */
  readonly leftOut = { older: 0, future: 0, repeated: 0 };

  constructor(retention: Retention, nowSeconds: number, emit: (bucket: ImportedBucket) => void) {
    const from = (seconds: number): number => Math.max(0, Math.ceil((nowSeconds - seconds) / hour) * hour);
    this.#now = nowSeconds;
    this.#from = {
      raw: from(retention.rawHours * hour),
      five_minute: from(retention.fiveMinuteDays * day),
      hourly: from(retention.hourlyDays * day),
    };
    this.#complete = new Uint8Array(Math.ceil((nowSeconds + hour - this.#from.hourly) / cell / 8) + 1);
    this.#emit = emit;
  }

  /** What is older than this is not kept. */
  get oldest(): number {
    return this.#from.hourly;
  }

  reading(at: number, values: MetricValues): void {
    if (at > this.#now) {
      this.leftOut.future += 1;
      return;
    }
    const tier = this.#tierOf(at);
    if (tier === undefined) {
      this.leftOut.older += 1;
      return;
    }
    if (this.#open === undefined || at < this.#open.at || at >= this.#open.end) {
      this.close();
      const seconds = importedBucketSeconds[tier];
      const start = Math.floor(at / seconds) * seconds;
      if (this.#isTouched(start, start + seconds)) {
        this.leftOut.repeated += 1;
        return;
      }
      const span = { at: start, end: start + seconds };
      this.#open = tier === 'raw' ? { tier, ...span, rows: new Map() } : { tier, ...span, sums: [] };
    }
    this.#take(this.#open, at, values);
  }

  /** A mean that another program has computed; it goes to the tier of its width. */
  mean(seconds: 300 | 3600, at: number, rows: readonly (readonly number[])[]): void {
    this.close();
    const tier = seconds === cell ? 'five_minute' : 'hourly';
    if (at > this.#now) this.leftOut.future += 1;
    else if (at < this.#from.hourly) this.leftOut.older += 1;
    else if (at >= this.#from[tier] && rows.length > 0 && !this.#isTouched(at, at + seconds)) {
      this.#mark(at, at + seconds);
      this.#emit({ tier, at, rows: rows.map((row) => [...row]) });
    }
  }

  /** Completes the open bucket. */
  close(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    this.#mark(open.at, open.end);
    const { tier, at } = open;
    if (tier === 'raw') {
      const rows = [...open.rows].map(([offset, values]) => [offset, ...values]);
      this.#emit({ tier, at, rows });
      return;
    }
    const rows = open.sums.flatMap((sums, metric) =>
      sums === undefined ? [] : [[metric, sums.count, sums.total / sums.count, sums.low, sums.high]],
    );
    // Rounding of the division must not put a mean outside its extremes.
    for (const row of rows) row[2] = Math.min(Math.max(row[2] ?? 0, row[3] ?? -Infinity), row[4] ?? Infinity);
    if (rows.length > 0) this.#emit({ tier, at, rows });
  }

  #take(open: OpenBucket, at: number, values: MetricValues): void {
    if (open.tier === 'raw') {
      if (open.rows.has(at - open.at)) this.leftOut.repeated += 1;
      else open.rows.set(at - open.at, values);
      return;
    }
    values.forEach((value, metric) => {
      if (value === null) return;
      const sums = (open.sums[metric] ??= { count: 0, total: 0, low: Infinity, high: -Infinity });
      sums.count += 1;
      sums.total += value;
      sums.low = Math.min(sums.low, value);
      sums.high = Math.max(sums.high, value);
    });
  }

  #tierOf(at: number): ImportedTier | undefined {
    if (at >= this.#from.raw) return 'raw';
    if (at >= this.#from.five_minute) return 'five_minute';
    return at >= this.#from.hourly ? 'hourly' : undefined;
  }

  #isTouched(from: number, to: number): boolean {
    for (let at = from; at < to; at += cell) {
      const bit = (at - this.#from.hourly) / cell;
      if (((this.#complete[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0) return true;
    }
    return false;
  }

  #mark(from: number, to: number): void {
    for (let at = from; at < to; at += cell) {
      const bit = (at - this.#from.hourly) / cell;
      this.#complete[bit >> 3] = (this.#complete[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
  }
}
