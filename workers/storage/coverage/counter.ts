// Counts for how long each UPS was read, by local day: the availability of the reports. Its sums are in memory and written once
// a minute with the energy; after a crash the first sample continues from the last one written.
import { dayOf } from '../../../shared/domain/base/local-calendar.js';
import type { SampleRecord } from '../../../shared/protocol/storage.js';
import type { Database } from '../database.js';
import { energyBetween, longestStepMs } from '../energy/count.js';

interface CoverageDay {
  readonly groupId: string;
  readonly day: number;
  seconds: number;
  first: number;
  last: number;
}

export class CoverageCounter {
  /** The last sample of each UPS, in ms. */
  #last = new Map<string, number>();
  /** Not written yet, by UPS. */
  #added = new Map<string, CoverageDay[]>();
  #of: Database | undefined;

  /** `areNew`: none of them was stored before; else only those later than the last one count. */
  async count(db: Database, samples: readonly SampleRecord[], areNew: boolean): Promise<void> {
    if (this.#of !== db) await this.#load(db, (samples[0]?.at ?? 0) * 1000);
    for (const { groupId, at } of samples) {
      const atMs = Math.floor(at * 1000);
      const last = this.#last.get(groupId);
      if (last !== undefined && !areNew && atMs <= last) continue;
      this.#last.set(groupId, atMs);
      // The steps and the midnights of the energy, without a power.
      for (const { day, seconds } of last === undefined ? [] : energyBetween(read(last), read(atMs)))
        this.#add({ groupId, day, seconds, first: last ?? atMs, last: atMs });
      this.#add({ groupId, day: dayOf(atMs), seconds: 0, first: atMs, last: atMs });
    }
  }

  /** Writes what was counted since the last call. */
  async write(db: Database): Promise<void> {
    const added = [...this.#added.values()].flat();
    if (added.length === 0) return;
    const rows = added.map(({ groupId, day, seconds, first, last }) => [groupId, day, seconds, first, last]);
    await db.run(
      `INSERT INTO coverage_days (day, ups, seconds, first, last)
       SELECT value ->> 1, ups.key, value ->> 2, value ->> 3, value ->> 4
       FROM json_each(?) JOIN ups ON group_id = value ->> 0 WHERE true
       ON CONFLICT DO UPDATE SET seconds = seconds + excluded.seconds, first = min(first, excluded.first),
         last = excluded.last`,
      JSON.stringify(rows),
    );
    this.#added = new Map();
  }

  #add(one: CoverageDay): void {
    const days = this.#added.get(one.groupId) ?? [];
    const before = days.findLast(({ day }) => day === one.day);
    if (before === undefined) this.#added.set(one.groupId, [...days, one]);
    else {
      before.seconds += one.seconds;
      // The clock may have been set back.
      before.first = Math.min(before.first, one.first);
      before.last = one.last;
    }
  }

  async #load(db: Database, nowMs: number): Promise<void> {
    const rows = await db.all<{ groupId: string; last: number }>(
      `SELECT group_id AS groupId, max(last) AS last FROM coverage_days JOIN ups ON key = ups
       WHERE day BETWEEN ? AND ? GROUP BY ups`,
      ...[dayOf(nowMs - longestStepMs), dayOf(nowMs)],
    );
    this.#last = new Map(rows.map(({ groupId, last }) => [groupId, last]));
    // Counted again from the last sample written.
    this.#added = new Map();
    this.#of = db;
  }
}

const read = (atMs: number) => ({ atMs, watts: 0, estimated: 0 });
