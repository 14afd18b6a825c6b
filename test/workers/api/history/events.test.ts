import { expect } from 'chai';
import * as fc from 'fast-check';
import type { EventType } from '../../../../shared/domain/status/events.js';
import { tierOf } from '../../../../shared/domain/status/event-names.js';
import { categoryOf } from '../../../../shared/domain/status/events.js';
import type { StoredEvent } from '../../../../shared/http/bodies.js';
import type { EventsQuery } from '../../../../workers/api/history/events.js';
import { readEvents } from '../../../../workers/api/history/events.js';
import { ReadPool } from '../../../../workers/api/history/read-pool.js';
import type { EventRecord } from '../../../../shared/protocol/storage.js';
import { BootNotes } from '../../../../workers/storage/boots.js';
import { appendEvents, insertEvent } from '../../../../workers/storage/events.js';
import { Bench } from '../../storage/fixture.js';

const calm = { signal: new AbortController().signal, deadlineMs: 10_000 };
const everything: EventsQuery = {
  limit: 100,
  verbosity: 2,
  category: null,
  from: null,
  to: null,
  before: null,
};
const types = [
  'ON_BATTERY',
  'SHUTDOWN_TRIGGERED',
  'BATTERY_ANOMALY',
  'LOGIN_FAILURE',
  'DAEMON_START',
] as const;

const inOrder = (a: StoredEvent, b: StoredEvent): number =>
  a.ts - b.ts || (a.source < b.source ? -1 : a.source > b.source ? 1 : 0) || a.id - b.id;

function naive(rows: readonly StoredEvent[], query: EventsQuery): readonly StoredEvent[] {
  const { before } = query;
  return rows
    .filter(
      (row) =>
        tierOf(row.category) <= query.verbosity &&
        (query.category === null || row.category === query.category) &&
        row.ts >= (query.from ?? 0) &&
        row.ts <= (query.to ?? Infinity) &&
        (before === null ||
          (before.at === null
            ? row.ts <= before.ts
            : inOrder(row, { ...row, ts: before.ts, ...before.at }) < 0)),
    )
    .sort(inOrder)
    .slice(-query.limit);
}

async function stored(
  bench: Bench,
  events: readonly { at: number; source: string; type: EventType }[],
): Promise<readonly StoredEvent[]> {
  const rows: StoredEvent[] = [];
  await bench.run((db) =>
    db.transaction(async () => {
      for (const { at, source, type } of events) {
        const id = await insertEvent(db, { at, source, type, detail: `of ${source}` });
        const category = categoryOf(type);
        rows.push({ id, ts: at, source, eventType: type, detail: `of ${source}`, category });
      }
    }),
  );
  return rows;
}

const someEvents = fc.array(
  fc.record({
    // Few seconds and sources, so that ties are frequent.
    at: fc.nat({ max: 6 }),
    source: fc.constantFrom('daemon', 'office', 'rack-a', 'rack-b'),
    type: fc.constantFrom(...types),
  }),
  { maxLength: 60 },
);

async function ask(pool: ReadPool, query: EventsQuery): Promise<readonly StoredEvent[]> {
  const outcome = await readEvents(pool, query, calm);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

describe('a page of events', () => {
  it('equals the filtered and sorted list of all events', async () => {
    const query = fc.record({
      limit: fc.integer({ min: 1, max: 70 }),
      verbosity: fc.constantFrom(0 as const, 1 as const, 2 as const),
      category: fc.option(fc.constantFrom('power_event' as const, 'audit' as const), { nil: null }),
      from: fc.option(fc.nat({ max: 6 }), { nil: null }),
      to: fc.option(fc.nat({ max: 6 }), { nil: null }),
      before: fc.option(
        fc.record({
          ts: fc.nat({ max: 6 }),
          at: fc.option(
            fc.record({
              source: fc.constantFrom('daemon', 'office', 'rack-b', 'x'),
              id: fc.nat({ max: 60 }),
            }),
            { nil: null },
          ),
        }),
        { nil: null },
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        someEvents,
        fc.array(query, { minLength: 1, maxLength: 10 }),
        async (events, queries) => {
          const bench = new Bench();
          const pool = new ReadPool(bench.path);
          try {
            const rows = await stored(bench, events);
            for (const one of queries) expect(await ask(pool, one)).to.deep.equal(naive(rows, one));
          } finally {
            await pool.close();
            await bench.end();
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('continues at its oldest row, so that each event appears once', async () => {
    await fc.assert(
      fc.asyncProperty(someEvents, fc.integer({ min: 1, max: 9 }), async (events, limit) => {
        const bench = new Bench();
        const pool = new ReadPool(bench.path);
        try {
          const rows = await stored(bench, events);
          const seen: StoredEvent[] = [];
          let before: EventsQuery['before'] = null;
          for (;;) {
            const page: readonly StoredEvent[] = await ask(pool, { ...everything, limit, before });
            const [oldest] = page;
            if (oldest === undefined) break;
            seen.unshift(...page);
            before = { ts: oldest.ts, at: { source: oldest.source, id: oldest.id } };
          }
          expect(seen).to.deep.equal([...rows].sort(inOrder));
        } finally {
          await pool.close();
          await bench.end();
        }
      }),
      { numRuns: 30 },
    );
  });

  it('has by how much the clock was set after an event, where that is more than a minute', async () => {
    const bench = new Bench();
    const pool = new ReadPool(bench.path);
    const notes = new BootNotes();
    const start = 1_790_000_000;
    const at = (seq: number, date: number, second: number): EventRecord => ({
      ...{ seq, at: date, source: 'office', type: 'ON_BATTERY', detail: '' },
      boot: { id: 'boot', ms: second * 1000 },
    });
    // Since the boot in 1970, set to the date, by 30 s, and back by two hours.
    const events = [
      at(1, 100, 100),
      at(2, start + 200, 200),
      at(3, start + 330, 300),
      at(4, start - 6_800, 400),
    ];
    const noted: (number | undefined)[][] = [];
    for (const event of events) {
      await bench.run((db) => appendEvents(db, 'run', [event]));
      await bench.run((db) => db.exec("UPDATE runs SET boot_id = 'boot'"));
      // One of before that comes late says nothing of how the clock stands.
      await bench.run((db) => notes.note(db, [event, at(0, 50, 50)]));
      const rows = await ask(pool, everything);
      noted.push([1, 2, 3, 4].map((id) => rows.find((row) => row.id === id)?.clockSetSeconds));
    }
    const no = undefined;
    expect(noted).to.deep.equal([
      [no, no, no, no],
      [start, no, no, no],
      [start + 30, no, no, no],
      [start - 7_200, -7_200, -7_230, no],
    ]);
    await pool.close();
    await bench.end();
  });

  it('finds rare events among many without reading all', async () => {
    const bench = new Bench();
    await stored(bench, [{ at: 1, source: 'office', type: 'ON_BATTERY' }]);
    await bench.run((db) =>
      db.exec(
        `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
         INSERT INTO events (ts, source, category, type, detail) SELECT i, 'office', 'diagnostics', 'BATTERY_ANOMALY', '' FROM n`,
      ),
    );
    const plan = await bench.run((db) =>
      db.all<{ detail: string }>(
        "EXPLAIN QUERY PLAN SELECT * FROM events WHERE category = 'power_event' AND (ts, source, id) < (9, 'x', 3) ORDER BY ts DESC, source DESC, id DESC LIMIT 5",
      ),
    );
    expect(plan).to.have.lengthOf(1);
    expect(plan[0]?.detail).to.match(
      /^SEARCH events USING INDEX events_in_order \(category=\? AND \(ts,source/,
    );
    await bench.end();
  });
});
