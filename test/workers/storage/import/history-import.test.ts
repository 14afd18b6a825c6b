import { expect } from 'chai';
import { metrics } from '../../../../shared/domain/status/metrics.js';
import { ImportBatch } from '../../../../shared/protocol/history-import.js';
import type { ImportedBucket, ImportResult } from '../../../../shared/protocol/history-import.js';
import { appendEvents } from '../../../../workers/storage/events.js';
import { importHistory } from '../../../../workers/storage/import/history-import.js';
import { OutageTracker } from '../../../../workers/storage/outages/tracker.js';
import { Cutoffs } from '../../../../workers/storage/cutoffs.js';
import { retain } from '../../../../workers/storage/retention.js';
import { rollUp } from '../../../../workers/storage/rollup.js';
import { SampleWriter } from '../../../../workers/storage/samples.js';
import { Bench, sampleOf } from '../fixture.js';

/** A whole hour and quarter of a day. */
const now = 1_700_006_400;
const hour = 3600;

const nothing = { readings: 0, fiveMinute: 0, hourly: 0, events: 0, outages: 0, present: 0, refused: 0 };
const values = (charge: number) => metrics.map((_, index) => (index === 0 ? charge : null));
const raw = (at: number, ...charges: number[]): ImportedBucket => ({
  tier: 'raw',
  at,
  rows: charges.map((charge, index) => [index * 30, ...values(charge)]),
});
const mean = (tier: 'five_minute' | 'hourly', at: number, charge: number, readings = 10): ImportedBucket => ({
  tier,
  at,
  rows: [[0, readings, charge, charge - 1, charge + 1]],
});

describe('imported history', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.end());

  const add = (part: Partial<ImportBatch>): Promise<ImportResult> => {
    const batch: ImportBatch = {
      ...{
        groupId: 'office',
        source: 'upslog' as const,
        isDryRun: false,
        buckets: [],
        events: [],
        outages: [],
      },
      ...part,
    };
    expect(ImportBatch.is(batch)).to.equal(true);
    return bench.run((db) => importHistory(db, batch, now));
  };
  const own = (at: number, charge: number) =>
    bench.run((db) => new SampleWriter().append(db, [sampleOf('office', at, { charge })]));
  const all = (sql: string) => bench.run((db) => db.all<Record<string, unknown>>(sql));
  const rolled = async (at = now): Promise<void> => {
    while (await bench.run((db) => rollUp(db, at)));
  };
  const dump = async () => ({
    samples: await all('SELECT * FROM samples'),
    recent: await all('SELECT * FROM recent_samples'),
    fine: await all('SELECT * FROM five_minute'),
    coarse: await all('SELECT * FROM hourly'),
    ups: await all('SELECT * FROM ups'),
    events: await all('SELECT * FROM events'),
    outages: await all('SELECT * FROM outages'),
  });

  it('goes to its tier with its time, and is added once', async () => {
    const batch = {
      buckets: [
        raw(now - 600, 90, 91),
        mean('five_minute', now - 50 * hour, 80),
        mean('hourly', now - 900 * hour, 70),
      ],
      events: [{ at: now - 100, type: 'ON_BATTERY', detail: 'charge 90 %' }],
      outages: [
        {
          ...{
            started: now - 100,
            ended: now - 40,
            endSeen: true,
            cause: 'outage' as const,
            interruptions: 1,
          },
          ...{ lowestCharge: 90.5, lowestRuntimeSeconds: null },
        },
      ],
    } satisfies Partial<ImportBatch>;
    expect(await add(batch)).to.deep.equal({
      ...nothing,
      ...{ readings: 2, fiveMinute: 1, hourly: 1, events: 1, outages: 1 },
    });
    const first = await dump();
    expect(first.samples.map(({ ts, charge, load }) => [ts, charge, load])).to.deep.equal([
      [(now - 600) * 1000, 9000, null],
      [(now - 570) * 1000, 9100, null],
    ]);
    expect(first.fine).to.deep.equal([
      { ups: 1, metric: 0, ts: now - 50 * hour, n: 10, total: 80_000, low: 7900, high: 8100 },
    ]);
    expect(first.coarse).to.deep.equal([
      { ups: 1, metric: 0, ts: now - 900 * hour, n: 10, total: 70_000, low: 6900, high: 7100 },
    ]);
    expect(first.events).to.have.lengthOf(1);
    expect(first.events[0]).to.include({
      ...{ ts: now - 100, source: 'office', category: 'power_event', type: 'ON_BATTERY' },
      ...{ detail: 'charge 90 %; imported from upslog', run: null },
    });
    expect(first.outages[0]).to.include({
      started: (now - 100) * 1000,
      low_charge: 90.5,
      end_seen: 1,
      joules: null,
    });
    expect(await add(batch)).to.deep.equal({ ...nothing, present: 5 });
    expect(await dump()).to.deep.equal(first);
  });

  it('is only counted by a dry run', async () => {
    await own(now - 50, 100);
    const before = await dump();
    const batch = { isDryRun: true, buckets: [raw(now - 600, 90), raw(now - 300, 80)] };
    expect(await add(batch)).to.deep.equal({ ...nothing, readings: 1, present: 1 });
    expect(await add({ ...batch, groupId: 'new' })).to.deep.equal({ ...nothing, readings: 2 });
    expect(await dump()).to.deep.equal(before);
  });

  it('leaves a time alone that has own data in any tier', async () => {
    await own(now - 8 * hour, 100);
    await rolled();
    const marks = await all('SELECT five_minute_until, hourly_until FROM ups');
    // The reading is in all three tiers by now.
    expect(await all('SELECT * FROM hourly')).to.have.lengthOf(1);
    const at = now - 8 * hour;
    const given = [raw(at, 1), mean('five_minute', at, 1), mean('hourly', at, 1)];
    for (const bucket of given)
      expect(await add({ buckets: [bucket] })).to.deep.equal({ ...nothing, present: 1 });
    await bench.run((db) => db.exec('DELETE FROM samples'));
    for (const bucket of given)
      expect(await add({ buckets: [bucket] })).to.deep.equal({ ...nothing, present: 1 });
    await bench.run((db) => db.exec('DELETE FROM five_minute'));
    expect(await add({ buckets: [mean('hourly', at, 1)] })).to.deep.equal({ ...nothing, present: 1 });
    expect(await all('SELECT five_minute_until, hourly_until FROM ups')).to.deep.equal(marks);
    // A reading of another UPS does not count.
    expect(await add({ groupId: 'rack', buckets: [raw(at, 1)] })).to.deep.equal({ ...nothing, readings: 1 });
  });

  it('leaves a time alone whose readings are in memory order still', async () => {
    await own(now - 60, 100);
    expect(await add({ buckets: [raw(now - 300, 1), raw(now - 600, 2)] })).to.deep.equal({
      ...nothing,
      ...{ readings: 1, present: 1 },
    });
  });

  it('is rolled up with own data, gaps stay gaps, and own means stay as they were', async () => {
    const day = now - 24 * hour;
    for (let second = 0; second < 300; second += 10) await own(day + second, 50);
    await rolled();
    const before = await all('SELECT * FROM five_minute');
    await add({ buckets: [raw(day + 300, 70, 90), mean('five_minute', day + 900, 20)] });
    await rolled();
    const fine = await all('SELECT ts, n, total FROM five_minute ORDER BY ts');
    expect(fine).to.deep.equal([
      { ts: day, n: 30, total: 150_000 },
      { ts: day + 300, n: 2, total: 16_000 },
      { ts: day + 900, n: 10, total: 20_000 },
    ]);
    expect(await all('SELECT * FROM five_minute')).to.deep.include.members([...before]);
    expect(await all('SELECT ts, n, total, low, high FROM hourly')).to.deep.equal([
      { ts: day, n: 42, total: 186_000, low: 1900, high: 9000 },
    ]);
    // What another UPS has rolled up stays rolled up.
    await bench.run((db) => new SampleWriter().append(db, [sampleOf('rack', now - 5 * hour, { charge: 1 })]));
    await rolled();
    const marks = await all("SELECT five_minute_until AS until FROM ups WHERE group_id = 'rack'");
    await add({ buckets: [raw(now - 10 * hour, 1)] });
    expect(await all("SELECT five_minute_until AS until FROM ups WHERE group_id = 'rack'")).to.deep.equal(
      marks,
    );
  });

  it('is kept as long as own data', async () => {
    const retention = { rawHours: 24, fiveMinuteDays: 30, hourlyDays: 1825 };
    await add({ buckets: [raw(now - 20 * hour, 1), mean('five_minute', now - 600 * hour, 2)] });
    const later = now + 40 * hour;
    await rolled(later);
    const cutoffs = new Cutoffs(bench.clock);
    await bench.run((db) => retain(db, retention, later, cutoffs));
    bench.nowMs += 2 * hour * 1000;
    while (await bench.run((db) => retain(db, retention, later, cutoffs)));
    expect(await all('SELECT ts FROM samples')).to.deep.equal([]);
    expect(await all('SELECT ts FROM five_minute ORDER BY ts')).to.have.lengthOf(2);
    expect(await all('SELECT ts FROM hourly ORDER BY ts')).to.have.lengthOf(2);
  });

  it('adds nothing that lies in the future', async () => {
    const outage = {
      ...{ started: now - 10, ended: now + 10, endSeen: true, cause: 'outage' as const, interruptions: 0 },
      ...{ lowestCharge: null, lowestRuntimeSeconds: null },
    } as const;
    const result = await add({
      buckets: [raw(now + 300, 1), mean('hourly', now + hour, 1)],
      events: [{ at: now + 1, type: 'ON_BATTERY', detail: '' }],
      outages: [outage],
    });
    expect(result).to.deep.equal({ ...nothing, refused: 4 });
  });

  it('leaves an event out that the daemon recorded itself some seconds apart', async () => {
    const at = now - 1000;
    await bench.run((db) =>
      appendEvents(db, 'run', [{ seq: 1, at, source: 'office', type: 'ON_BATTERY', detail: 'own' }]),
    );
    const events = [-61, -60, 4, 60, 61].map(
      (offset) => ({ at: at + offset, type: 'ON_BATTERY', detail: '' }) as const,
    );
    expect(await add({ events })).to.deep.equal({ ...nothing, events: 2, present: 3 });
    // Of imported ones each counts: a UPS may go on battery twice in a minute.
    const twice = [5, 15].map(
      (offset) => ({ at: at + 500 + offset, type: 'ON_BATTERY', detail: '' }) as const,
    );
    expect(await add({ events: twice })).to.include({ events: 2 });
    expect(await add({ events: twice })).to.include({ events: 0, present: 2 });
  });

  it('leaves an outage out that overlaps one of its own, and never becomes the newest one', async () => {
    const tracker = new OutageTracker();
    const event = (seq: number, type: 'ON_BATTERY' | 'POWER_RESTORED', at: number) =>
      bench.run((db) =>
        tracker.recordEvents(db, [{ seq, at, source: 'office', type, detail: '' }], at * 1000),
      );
    await event(1, 'ON_BATTERY', now - 500);
    const outage = (started: number, ended: number) =>
      ({
        ...{ started, ended, endSeen: true, cause: 'outage' as const, interruptions: 0 },
        ...{ lowestCharge: null, lowestRuntimeSeconds: null },
      }) as const;
    expect(
      await add({
        outages: [outage(now - 520, now - 490), outage(now - 900, now - 561), outage(now - 300, now - 200)],
      }),
    ).to.deep.equal({ ...nothing, outages: 1, present: 2 });
    // The own one is still the one that ends.
    await event(2, 'POWER_RESTORED', now - 100);
    await event(3, 'ON_BATTERY', now - 70);
    await event(4, 'POWER_RESTORED', now - 60);
    expect(
      await all('SELECT started, ended, interruptions, imported FROM outages ORDER BY started'),
    ).to.deep.equal([
      { started: (now - 900) * 1000, ended: (now - 561) * 1000, interruptions: 0, imported: 1 },
      { started: (now - 500) * 1000, ended: (now - 60) * 1000, interruptions: 1, imported: 0 },
    ]);
  });

  it('cannot take more room than its bounds', async () => {
    await bench.run((db) =>
      db.exec(`INSERT INTO events (ts, source, category, type, detail)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 199999)
        SELECT i, 'office', 'power_event', 'ON_BATTERY', '' FROM n`),
    );
    const events = [1, 2, 3].map(
      (offset) => ({ at: now - offset, type: 'OVERLOAD_ACTIVE', detail: '' }) as const,
    );
    expect(await add({ events })).to.deep.equal({ ...nothing, events: 1, refused: 2 });
    await bench.run((db) =>
      db.exec(`INSERT INTO outages (ups, cause, started, ended, imported)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT 1, 'outage', i, i, 1 FROM n`),
    );
    const outage = {
      ...{ started: now - 10, ended: now - 5, endSeen: true, cause: 'outage' as const, interruptions: 0 },
      ...{ lowestCharge: null, lowestRuntimeSeconds: null },
    } as const;
    expect(await add({ outages: [outage] })).to.deep.equal({ ...nothing, refused: 1 });
  });
});
