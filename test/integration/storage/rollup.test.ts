import { expect } from 'chai';
import { statSync } from 'node:fs';
import * as fc from 'fast-check';
import { metrics } from '../../../shared/domain/status/metrics.js';
import type { Retention } from '../../../shared/protocol/storage.js';
import type { Database } from '../../../workers/storage/database.js';
import { moveSamples, rollUp } from '../../../workers/storage/rollup.js';
import { SampleWriter } from '../../../workers/storage/samples.js';
import { Maintenance } from '../../../workers/storage/maintenance.js';
import { Bench, sampleOf } from '../../workers/storage/fixture.js';

interface Given {
  readonly ups: string;
  readonly at: number;
  readonly charge: number | null;
  readonly runtime: number | null;
}

/** The definition of a roll-up: one row per UPS, metric and bucket, from all its samples. */
function naive(samples: readonly Given[], bucket: number, until: number): string[] {
  const rows = new Map<string, { n: number; total: number; low: number; high: number }>();
  for (const sample of samples)
    for (const [metric, stored] of [
      [0, sample.charge === null ? null : sample.charge * 100],
      [1, sample.runtime],
    ] as const) {
      const ts = Math.floor(sample.at / bucket) * bucket;
      if (stored === null || ts >= until) continue;
      const key = `${sample.ups} ${String(metric)} ${String(ts)}`;
      const row = rows.get(key) ?? { n: 0, total: 0, low: Infinity, high: -Infinity };
      rows.set(key, {
        n: row.n + 1,
        total: row.total + stored,
        low: Math.min(row.low, stored),
        high: Math.max(row.high, stored),
      });
    }
  return [...rows].map(([key, row]) => `${key} ${JSON.stringify(row)}`).sort();
}

async function stored(db: Database, table: string): Promise<string[]> {
  const rows = await db.all<{ key: string; n: number; total: number; low: number; high: number }>(
    `SELECT group_id || ' ' || metric || ' ' || ts AS key, n, total, low, high FROM ${table} JOIN ups ON ups.key = ups`,
  );
  return rows.map(({ key, ...row }) => `${key} ${JSON.stringify(row)}`).sort();
}

async function rollAll(bench: Bench): Promise<void> {
  while (await bench.run((db) => rollUp(db, bench.wall)));
}

const begin = 1_700_000_000;
const value = (max: number) => fc.option(fc.nat({ max }), { nil: null });
const step = fc.oneof(
  fc.record({
    kind: fc.constant('append' as const),
    samples: fc.array(
      fc.record({
        ups: fc.constantFrom('office', 'rack'),
        /** Seconds before now: mostly recent, some late by hours, as after a full disk. */
        age: fc.oneof(
          { weight: 4, arbitrary: fc.nat({ max: 30 }) },
          { weight: 1, arbitrary: fc.nat({ max: 20_000 }) },
        ),
        charge: value(100),
        runtime: value(5000),
      }),
      { maxLength: 30 },
    ),
  }),
  fc.record({ kind: fc.constant('pass' as const), seconds: fc.nat({ max: 3000 }) }),
  fc.constant({ kind: 'roll' as const }),
  /** The clock is set back, so that a time occurs twice. */
  fc.record({ kind: fc.constant('back' as const), seconds: fc.nat({ max: 7300 }) }),
);

describe('the roll-ups', () => {
  it('include all samples of a bucket, in any order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const bench = new Bench();
        bench.wall = begin;
        const writer = new SampleWriter();
        const model = new Map<string, Given>();
        try {
          for (const given of steps) {
            if (given.kind === 'pass') bench.wall += given.seconds;
            else if (given.kind === 'back') bench.wall -= given.seconds;
            else if (given.kind === 'roll') await rollAll(bench);
            else {
              const samples = given.samples.map(({ age, ...rest }) => ({ ...rest, at: bench.wall - age }));
              await bench.run((db) =>
                writer.append(
                  db,
                  samples.map(({ ups, at, charge, runtime }) =>
                    sampleOf(ups, at, {
                      ...(charge === null ? {} : { charge }),
                      ...(runtime === null ? {} : { runtime }),
                    }),
                  ),
                ),
              );
              for (const sample of samples) {
                const key = `${sample.ups} ${String(sample.at)}`;
                const empty = sample.charge === null && sample.runtime === null;
                if (!model.has(key) && !empty) model.set(key, sample);
              }
            }
          }
          bench.wall = begin + 100_000;
          await rollAll(bench);
          const samples = [...model.values()];
          expect(await bench.run((db) => stored(db, 'five_minute'))).to.deep.equal(
            naive(samples, 300, bench.wall),
          );
          expect(await bench.run((db) => stored(db, 'hourly'))).to.deep.equal(
            naive(samples, 3600, bench.wall),
          );
        } finally {
          await bench.end();
        }
      }),
      { numRuns: 40 },
    );
  });

  it('wait for the samples of the half hour', async () => {
    const bench = new Bench();
    bench.wall = 1_700_000_100;
    const writer = new SampleWriter();
    await bench.run((db) => writer.append(db, [sampleOf('office', 1_700_000_100, { charge: 1 })]));
    bench.wall = 1_700_001_000 + 14;
    await rollAll(bench);
    expect(await bench.run((db) => stored(db, 'five_minute'))).to.deep.equal([]);
    bench.wall += 1;
    await rollAll(bench);
    expect(await bench.run((db) => stored(db, 'five_minute'))).to.have.lengthOf(1);
    await bench.end();
  });

  it('write a page a few times a day, not with every bucket', async () => {
    const bench = new Bench();
    const writer = new SampleWriter();
    const day = 86_400;
    const values = Object.fromEntries(metrics.map(({ name }, index) => [name, index]));
    bench.wall = begin - (begin % day) + day;
    for (const ups of ['office', 'rack'])
      await bench.run((db) =>
        writer.append(
          db,
          Array.from({ length: day / 30 }, (_, index) =>
            sampleOf(ups, bench.wall - (index + 1) * 30, values),
          ),
        ),
      );
    bench.wall += 15;
    await bench.run(async (db) => {
      while (await moveSamples(db, bench.wall));
      await db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    });
    await rollAll(bench);
    const rolled = await bench.run((db) =>
      db.number("SELECT sum(pgsize) AS value FROM dbstat WHERE name IN ('five_minute', 'hourly')"),
    );
    expect(rolled).to.be.above(100_000);
    expect(statSync(`${bench.path}-wal`).size / rolled).to.be.within(1, 8);
    await bench.end();
  });

  it('keep a row that was built from more samples than are left', async () => {
    const bench = new Bench();
    const writer = new SampleWriter();
    const at = 1_700_000_100;
    const charged = (...values: readonly number[]) =>
      bench.run((db) =>
        writer.append(
          db,
          values.map((charge, index) => sampleOf('office', at + index, { charge })),
        ),
      );
    await charged(10, 20, 30);
    bench.wall = at + 10_000;
    await rollAll(bench);
    await bench.run((db) => db.run('DELETE FROM samples'));
    await charged(90);
    await rollAll(bench);
    const row = JSON.stringify({ n: 3, total: 6000, low: 1000, high: 3000 });
    expect(await bench.run((db) => stored(db, 'five_minute'))).to.deep.equal([`office 0 1700000100 ${row}`]);
    await bench.end();
  });
});

describe('the retention of samples and events', () => {
  const retention: Retention = { rawHours: 1, fiveMinuteDays: 1, hourlyDays: 3 };
  const notifications = { settledSeconds: 604_800, pendingSeconds: 2_592_000 };
  const hour = 3600;
  /** In so many hours as many days become due. */
  const maintained = async (bench: Bench, hours: number): Promise<void> => {
    const maintenance = new Maintenance(bench.store, bench.clock);
    for (let round = 0; round <= hours; round += 1) {
      await maintenance.round({ retention, notifications });
      bench.nowMs += hour * 1000;
    }
  };

  it('drops nothing before the next coarser tier has it, and nothing younger than configured', async () => {
    const bench = new Bench();
    const writer = new SampleWriter();
    const all: Given[] = [];
    const start = 1_700_000_000 - (1_700_000_000 % hour);
    const maintenance = new Maintenance(bench.store, bench.clock);
    // Four days of a sample a minute, flushed, with maintenance once an hour.
    for (let at = start; at < start + 100 * hour; at += hour) {
      bench.wall = at + hour;
      bench.nowMs += hour * 1000;
      const fresh = Array.from({ length: 60 }, (_, minute) => ({
        ups: 'office',
        at: at + minute * 60,
        charge: (minute * 7 + at / hour) % 100,
        runtime: null,
      }));
      all.push(...fresh);
      await bench.run((db) =>
        writer.append(
          db,
          fresh.map(({ ups, at: when, charge }) => sampleOf(ups, when, { charge })),
        ),
      );
      await maintenance.round({ retention, notifications });
    }
    const now = bench.wall;
    const oldest = (table: string, unit: number): Promise<number> =>
      bench.run((db) => db.number(`SELECT min(ts) / ${String(unit)} AS value FROM ${table}`));
    const within = (value: number, keptSeconds: number, longer: number): void => {
      expect(value).to.be.at.most(now - keptSeconds);
      expect(value).to.be.above(now - keptSeconds - longer);
    };
    within(await oldest('samples', 1000), hour, 2 * hour);
    within(await oldest('five_minute', 1), 24 * hour, 25 * hour);
    within(await oldest('hourly', 1), 72 * hour, 25 * hour);
    const expected = naive(all, hour, now - hour - ((now - hour) % (6 * hour))).slice(-60);
    const hourly = await bench.run((db) => stored(db, 'hourly'));
    expect(hourly).to.include.members(expected);
    await bench.end();
  });

  it('drops events, audit rows too, by age only', async () => {
    const bench = new Bench();
    const now = bench.wall;
    await bench.run((db) =>
      db.exec(
        `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)
         INSERT INTO events (ts, source, category, type, detail)
         SELECT ${String(now)} - i * 100, 'daemon', iif(i % 2, 'audit', 'lifecycle'), 'LOGIN_FAILURE', '' FROM n`,
      ),
    );
    await maintained(bench, 3);
    const [row] = await bench.run((db) =>
      db.all<{ oldest: number; audits: number }>(
        "SELECT min(ts) AS oldest, sum(category = 'audit') AS audits FROM events",
      ),
    );
    expect(row?.oldest).to.be.within(now - 3 * 24 * hour - 2 * hour, now - 3 * 24 * hour);
    expect(row?.audits).to.be.within(1290, 1320);
    await bench.end();
  });

  it('returns the space of dropped rows to the disk', async () => {
    const bench = new Bench();
    await bench.run((db) =>
      db.exec(
        `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 39999)
         INSERT INTO events (ts, source, category, type, detail)
         SELECT i, 'daemon', 'diagnostics', 'BATTERY_ANOMALY', hex(zeroblob(500)) FROM n`,
      ),
    );
    const pages = () => bench.run((db) => db.number('SELECT page_count AS value FROM pragma_page_count'));
    const before = await pages();
    await maintained(bench, 3);
    expect(before).to.be.above(5000);
    expect(await pages()).to.be.below(1100);
    await bench.end();
  });
});
