import { expect } from 'chai';
import * as fc from 'fast-check';
import type { EventType } from '../../../shared/domain/status/events.js';
import { categoryOf } from '../../../shared/domain/status/events.js';
import type { EventRecord } from '../../../shared/protocol/storage.js';
import type { Database } from '../../../workers/storage/database.js';
import { appendEvents, deleteEvents, insertEvent } from '../../../workers/storage/events.js';
import { Bench } from './fixture.js';

interface Row {
  readonly id: number;
  readonly ts: number;
  readonly source: string;
  readonly type: string;
}

const rowsOf = (db: Database): Promise<readonly Row[]> =>
  db.all<Row>('SELECT id, ts, source, type FROM events ORDER BY id');
const event = (seq: number, type: EventType = 'ON_BATTERY'): EventRecord => ({
  seq,
  at: 1000 + seq,
  source: 'office',
  type,
  detail: `event ${String(seq)}`,
});
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => String(error),
  );

describe('a stored event', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.end());

  it('that is sent again is stored once and answered with its id', async () => {
    const first = await bench.run((db) => appendEvents(db, 'run-1', [event(1), event(2)]));
    const again = await bench.run((db) => appendEvents(db, 'run-1', [event(1), event(2), event(3)]));
    expect(again.slice(0, 2)).to.deep.equal(first);
    expect(await bench.run(rowsOf)).to.have.lengthOf(3);
  });

  it('of another run is another event, even with the same number', async () => {
    await bench.run((db) => appendEvents(db, 'run-1', [event(1)]));
    await bench.run((db) => appendEvents(db, 'run-2', [event(1)]));
    expect(await bench.run(rowsOf)).to.have.lengthOf(2);
  });

  it('that was deleted before it was acknowledged stays deleted', async () => {
    const [stored] = await bench.run((db) => appendEvents(db, 'run-1', [event(1)]));
    const items = [{ id: stored?.id ?? 0, ts: 1001, eventType: 'ON_BATTERY' }];
    await bench.run((db) => deleteEvents(db, { source: 'office', items, principal: 'user:alice', at: 5 }));
    expect(await bench.run((db) => appendEvents(db, 'run-1', [event(1)]))).to.deep.equal([
      { seq: 1, id: null },
    ]);
    expect((await bench.run(rowsOf)).map(({ type }) => type)).to.deep.equal(['EVENTS_DELETED']);
  });

  it('keeps any text unchanged', async () => {
    const detail = 'Zoë\'s "rack" \\ 1; DROP TABLE events;\n电源 🔋';
    await bench.run((db) => appendEvents(db, 'run-1', [{ ...event(1), detail }]));
    expect(await bench.run((db) => db.value('SELECT detail AS value FROM events'))).to.equal(detail);
  });

  it('cannot be changed', async () => {
    await bench.run((db) => appendEvents(db, 'run-1', [event(1)]));
    expect(await bench.run((db) => refusal(db.run("UPDATE events SET detail = 'other'")))).to.match(
      /events are never changed/,
    );
  });

  it('of the audit cannot be deleted before its retention ends', async () => {
    await bench.run((db) => appendEvents(db, 'run-1', [event(1, 'LOGIN_FAILURE')]));
    for (const sql of ['DELETE FROM events', "DELETE FROM events WHERE category = 'audit'"])
      expect(await bench.run((db) => refusal(db.run(sql)))).to.match(/audit rows cannot be deleted/);
    expect(await bench.run(rowsOf)).to.have.lengthOf(1);
  });
});

const types = ['ON_BATTERY', 'LOGIN_FAILURE', 'DAEMON_START', 'BATTERY_ANOMALY'] as const;
const newEvent = fc.record({
  at: fc.integer({ min: 0, max: 5 }),
  source: fc.constantFrom('office', 'rack', 'daemon'),
  type: fc.constantFrom(...types),
});
const deletion = fc.record({
  id: fc.integer({ min: 0, max: 30 }),
  ts: fc.integer({ min: 0, max: 5 }),
  eventType: fc.constantFrom(...types, 'EVENTS_DELETED', ''),
});
const action = fc.oneof(
  { weight: 3, arbitrary: newEvent.map((given) => ({ kind: 'insert' as const, given })) },
  {
    weight: 2,
    arbitrary: fc
      .record({
        source: fc.constantFrom('office', 'rack'),
        items: fc.array(deletion),
        /** Existing rows, by position, so that most deletions match. */
        picked: fc.array(fc.nat({ max: 40 })),
      })
      .map((given) => ({ kind: 'delete' as const, ...given })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
);

describe('the deletion of events', () => {
  it('equals the deletion from a filtered list, and never reuses an id', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 12 }), async (actions) => {
        const bench = new Bench();
        try {
          let model: Row[] = [];
          const everUsed = new Set<number>();
          const add = (id: number, row: Omit<Row, 'id'>): void => {
            expect(everUsed.has(id)).to.equal(false);
            everUsed.add(id);
            model.push({ id, ...row });
          };
          for (const step of actions) {
            if (step.kind === 'reopen') await bench.reopen();
            else if (step.kind === 'insert') {
              const { at, source, type } = step.given;
              const id = await bench.run((db) =>
                db.transaction(() => insertEvent(db, { at, source, type, detail: '' })),
              );
              add(id, { ts: at, source, type });
            } else {
              const existing = step.picked.flatMap((place) => {
                const row = model[place];
                return row === undefined ? [] : [{ id: row.id, ts: row.ts, eventType: row.type }];
              });
              const items = [...step.items, ...existing];
              const gone = model.filter(
                (row) =>
                  row.source === step.source &&
                  categoryOf(row.type as EventType) !== 'audit' &&
                  items.some(
                    ({ id, ts, eventType }) => id === row.id && ts === row.ts && eventType === row.type,
                  ),
              );
              const order = { source: step.source, items, principal: 'user:alice', at: 9 };
              const result = await bench.run((db) => deleteEvents(db, order));
              expect(result.deleted).to.equal(gone.length);
              expect(result.detail).to.equal(`user:alice: delete events: ${String(gone.length)} rows`);
              model = model.filter((row) => !gone.includes(row));
              const type = gone.length > 0 ? 'EVENTS_DELETED' : 'EVENTS_DELETE_FAILED';
              expect(result.type).to.equal(type);
              add(result.id, { ts: 9, source: step.source, type });
            }
          }
          expect(await bench.run(rowsOf)).to.deep.equal(model);
        } finally {
          await bench.end();
        }
      }),
      { numRuns: 40 },
    );
  });
});
