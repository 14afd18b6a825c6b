// Counts the energy of each UPS from its samples. Its sums are in memory and written once a minute; after a crash the first
// sample continues from the last one written.
import { dayOf, startOfDay } from '../../../shared/domain/base/local-calendar.js';
import type { EnergyCounted } from '../../../shared/protocol/energy-counted.js';
import type { SampleRecord } from '../../../shared/protocol/storage.js';
import type { Database } from '../database.js';
import type { DayEnergy, PowerAt } from './count.js';
import { energyBetween, longestStepMs, plus } from './count.js';

/** Missing time that is no gap: what is not written yet, and steps around a restart. */
const toleratedSeconds = (2 * longestStepMs) / 1000;
const joulesPerKwh = 3_600_000;

interface Counting {
  last: PowerAt;
  /** Unix ms. */
  readonly since: number;
  /** Not written yet, by day. */
  readonly added: Map<number, DayEnergy>;
}

export class EnergyCounter {
  #counting = new Map<string, Counting>();
  /** The last sample written, of one database only. */
  #of: Database | undefined;

  /** `areNew`: none of them was stored before; else only those later than the last one count. */
  async count(db: Database, samples: readonly SampleRecord[], areNew: boolean): Promise<void> {
    if (this.#of !== db) await this.#load(db);
    for (const { groupId, at, power } of samples) {
      if (power === undefined) continue;
      const sample: PowerAt = { ...power, atMs: Math.floor(at * 1000) };
      const before = this.#counting.get(groupId);
      if (before === undefined) {
        this.#counting.set(groupId, { last: sample, since: sample.atMs, added: new Map() });
        continue;
      }
      if (!areNew && sample.atMs <= before.last.atMs) continue;
      const { last, added } = before;
      for (const part of energyBetween(last, sample)) added.set(part.day, plus(added.get(part.day), part));
      before.last = sample;
    }
  }

  /** Writes what was counted since the last call; returns the sums of every UPS at `nowMs`. */
  async write(db: Database, nowMs: number): Promise<EnergyCounted> {
    if (this.#of !== db) await this.#load(db);
    const counting = [...this.#counting];
    await db.transaction(() => save(db, counting));
    for (const [, { added }] of counting) added.clear();
    return sums(db, nowMs);
  }

  async #load(db: Database): Promise<void> {
    const rows = await db.all<{
      group: string;
      atMs: number;
      watts: number;
      estimated: number;
      since: number;
    }>(
      'SELECT group_id AS "group", ts AS atMs, watts, estimated, since FROM energy_last JOIN ups ON key = ups',
    );
    this.#counting = new Map(
      rows.map(({ group, atMs, watts, estimated, since }) => [
        group,
        { last: { atMs, watts, estimated }, since, added: new Map() },
      ]),
    );
    this.#of = db;
  }
}

/** Rows of JSON: [groupId, day, joules, seconds, estimated], and [groupId, ts, watts, estimated, since, joules]. */
async function save(db: Database, counting: readonly (readonly [string, Counting])[]): Promise<void> {
  const days = counting.flatMap(([group, { added }]) =>
    [...added.values()].map((day) => [group, day.day, day.joules, day.seconds, day.estimated]),
  );
  const total = (added: Counting['added']): number =>
    [...added.values()].reduce((sum, { joules }) => sum + joules, 0);
  const last = counting.map(
    ([
      group,
      {
        last: { atMs, watts, estimated },
        since,
        added,
      },
    ]) => [group, atMs, watts, estimated, since, total(added)],
  );
  await db.run(
    `INSERT INTO energy_days (day, ups, joules, seconds, estimated)
     SELECT value ->> 1, ups.key, value ->> 2, value ->> 3, value ->> 4
     FROM json_each(?) JOIN ups ON group_id = value ->> 0 WHERE true
     ON CONFLICT DO UPDATE SET joules = joules + excluded.joules, seconds = seconds + excluded.seconds,
       estimated = max(estimated, excluded.estimated)`,
    JSON.stringify(days),
  );
  await db.run(
    `INSERT INTO energy_last (ups, ts, watts, estimated, since, joules)
     SELECT ups.key, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
     FROM json_each(?) JOIN ups ON group_id = value ->> 0 WHERE true
     ON CONFLICT DO UPDATE SET ts = excluded.ts, watts = excluded.watts, estimated = excluded.estimated,
       joules = joules + excluded.joules WHERE excluded.ts <> ts`,
    JSON.stringify(last),
  );
}

interface Sums {
  readonly groupId: string;
  readonly since: number;
  readonly total: number;
  readonly today: number;
  readonly month: number;
  readonly year: number;
  readonly seconds: number;
  readonly estimated: number;
}

/** One pass over the day rows of this year: no sample is read. */
async function sums(db: Database, nowMs: number): Promise<EnergyCounted> {
  const today = dayOf(nowMs);
  const year = Math.floor(today / 10_000) * 10_000 + 101;
  const rows = await db.all<Sums>(
    `SELECT group_id AS groupId, l.since, l.joules AS total, ifnull(today, 0) AS today, ifnull(month, 0) AS month,
       ifnull(year, 0) AS year, ifnull(seconds, 0) AS seconds, ifnull(d.estimated, 0) AS estimated
     FROM energy_last l JOIN ups ON key = l.ups LEFT JOIN (
       SELECT ups, total(iif(day = ?1, joules, 0)) AS today, total(iif(day >= ?2, joules, 0)) AS month,
         total(joules) AS year, total(seconds) AS seconds, max(estimated) AS estimated
       FROM energy_days WHERE day BETWEEN ?3 AND ?1 GROUP BY ups
     ) d ON d.ups = l.ups`,
    today,
    Math.floor(today / 100) * 100 + 1,
    year,
  );
  const from = startOfDay(year);
  return {
    ups: rows.map((row) => ({
      groupId: row.groupId,
      todayKwh: row.today / joulesPerKwh,
      monthKwh: row.month / joulesPerKwh,
      yearKwh: row.year / joulesPerKwh,
      totalKwh: row.total / joulesPerKwh,
      estimated: row.estimated,
      partial: (nowMs - Math.max(from, row.since)) / 1000 - row.seconds > toleratedSeconds,
    })),
  };
}
