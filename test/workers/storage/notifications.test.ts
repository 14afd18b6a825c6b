import { expect } from 'chai';
import fc from 'fast-check';
import type { Delivery, Notification } from '../../../shared/domain/services/notification.js';
import { decode } from '../../../shared/domain/base/decode.js';
import { maxTextLength } from '../../../shared/domain/services/notification.js';
import type { NotificationRecord } from '../../../shared/protocol/notification-records.js';
import { maxRecordsPerRequest, notificationRequests } from '../../../shared/protocol/notification-records.js';
import {
  dropNotifications,
  loadNotifications,
  recordNotifications,
} from '../../../workers/storage/notifications.js';
import { Cutoffs } from '../../../workers/storage/cutoffs.js';
import { beginRun } from '../../../workers/storage/runs.js';
import { Bench } from './fixture.js';

const at = 1_700_000_000;
const notification = (id: string, change: Partial<Notification> = {}): Notification => ({
  id,
  at,
  source: 'office',
  type: 'ON_BATTERY',
  text: 'Büro is on battery.',
  urgent: true,
  ...change,
});
const delivery = (service: string, change: Partial<Delivery> = {}): Delivery => ({
  service,
  state: 'pending',
  reason: null,
  attempts: 0,
  at,
  ...change,
});
const sent = (service: string): Delivery => delivery(service, { state: 'sent', attempts: 1 });
const fresh = (id: string, ...services: readonly string[]): NotificationRecord => ({
  id,
  notification: notification(id),
  deliveries: services.map((service) => delivery(service)),
});
const newsOf = (id: string, ...deliveries: Delivery[]): NotificationRecord => ({
  id,
  notification: null,
  deliveries,
});

describe('the durable queue of notifications', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.end());

  const record = (...records: readonly NotificationRecord[]): Promise<object> =>
    bench.run((db) => recordNotifications(db, records));
  const recall = (after = 0, bootId = 'boot') => bench.run((db) => loadNotifications(db, after, bootId));
  const waiting = async (): Promise<string[]> =>
    (await recall()).tasks.flatMap(({ notification: { id }, waiting: list }) =>
      list.map(({ service, attempts }) => `${id} ${service} ${String(attempts)}`),
    );

  it('returns what waits, unchanged, even after a restart', async () => {
    await record(fresh('r-1', 'a', 'b'), fresh('r-2', 'a'));
    await bench.reopen();
    const answer = await recall();
    expect(answer).to.deep.equal({
      tasks: [
        {
          notification: notification('r-1'),
          waiting: [
            { service: 'a', attempts: 0 },
            { service: 'b', attempts: 0 },
          ],
          isOfThisBoot: false,
          isDateInDoubt: false,
        },
        {
          notification: notification('r-2'),
          waiting: [{ service: 'a', attempts: 0 }],
          isOfThisBoot: false,
          isDateInDoubt: false,
        },
      ],
      next: null,
    });
    expect(decode(notificationRequests['notifications.recall'].result, answer).ok).to.equal(true);
  });

  it('tells the messages of this boot, their summaries too, from those before', async () => {
    const begin = { version: '1', at: 1_700_000_000, recovered: null };
    await bench.run((db) => beginRun(db, { ...begin, run: 'r', bootId: 'before' }, true));
    await bench.run((db) => beginRun(db, { ...begin, run: 'now', bootId: 'boot' }, true));
    await record(fresh('r-1', 'a'), fresh('now-1', 'a'), fresh('now-2+now-3', 'a'));
    const { tasks } = await recall();
    expect(tasks.map(({ isOfThisBoot }) => isOfThisBoot)).to.deep.equal([false, true, true]);
  });

  it('limits a returned text that ends in half a surrogate pair', async () => {
    const text = `${'x'.repeat(maxTextLength - 1)}\ud83d`;
    await record({ ...fresh('r-1', 'a'), notification: notification('r-1', { text }) });
    expect(decode(notificationRequests['notifications.recall'].result, await recall())).to.include({
      ok: true,
    });
  });

  it('records the result of a message at each service', async () => {
    await record(fresh('r-1', 'a', 'b', 'c'));
    await record(
      newsOf(
        'r-1',
        sent('a'),
        delivery('b', { attempts: 3 }),
        delivery('c', { state: 'cancelled', reason: 'too_old' }),
      ),
    );
    expect(await waiting()).to.deep.equal(['r-1 b 3']);
    const rows = await bench.run((db) =>
      db.all('SELECT service, state, reason, attempts FROM deliveries ORDER BY service'),
    );
    expect(rows).to.deep.equal([
      { service: 'a', state: 'sent', reason: null, attempts: 1 },
      { service: 'b', state: 'pending', reason: null, attempts: 3 },
      { service: 'c', state: 'cancelled', reason: 'too_old', attempts: 0 },
    ]);
  });

  it('accepts a message once, and never reopens a finished one', async () => {
    const first = fresh('r-1', 'a', 'b');
    await record(first);
    await record(newsOf('r-1', sent('a')));
    await record(first, newsOf('r-1', delivery('a', { attempts: 9 })));
    expect(await waiting()).to.deep.equal(['r-1 b 0']);
  });

  it('accepts a message together with its result', async () => {
    await record({ ...fresh('r-1'), deliveries: [sent('a')] });
    expect(await waiting()).to.deep.equal([]);
  });

  it('ignores a result for an unknown message', async () => {
    await record(newsOf('r-9', sent('a')), fresh('r-1', 'a'));
    expect(await waiting()).to.deep.equal(['r-1 a 0']);
  });

  it('adds a service to an existing summary', async () => {
    await record(fresh('s', 'a'));
    await record(newsOf('s', sent('a')));
    await record(fresh('s', 'b'));
    expect(await waiting()).to.deep.equal(['s b 0']);
  });

  it('returns a long backlog in pages', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `r-${String(index)}`);
    for (let from = 0; from < ids.length; from += maxRecordsPerRequest)
      await record(...ids.slice(from, from + maxRecordsPerRequest).map((id) => fresh(id, 'a', 'b')));
    await record(...ids.slice(0, 30).map((id) => newsOf(id, sent('a'), sent('b'))));
    const found: string[] = [];
    for (let after: number | null = 0; after !== null;) {
      const { tasks, next }: Awaited<ReturnType<typeof recall>> = await recall(after);
      expect(tasks.length).to.be.at.most(maxRecordsPerRequest);
      found.push(...tasks.map(({ notification: { id } }) => id));
      after = next;
    }
    expect(found).to.deep.equal(ids.slice(30));
  });

  it('prunes finished messages after their time, and messages without a service', async () => {
    const old = (id: string, ageDays: number): NotificationRecord => ({
      ...fresh(id, 'a'),
      notification: notification(id, { at: at - ageDays * 86_400 }),
    });
    await record(old('over', 8), old('waiting', 8), old('ancient', 50), old('young', 6));
    await record(newsOf('over', sent('a')), newsOf('young', sent('a')));
    const kept = { settledSeconds: 7 * 86_400, pendingSeconds: 30 * 86_400 };
    const cutoffs = new Cutoffs(bench.clock);
    for (let pass = 0; pass < 2; pass += 1) {
      while (await bench.run((db) => dropNotifications(db, kept, at, cutoffs)));
      // Two days: all from 50 days ago on is due.
      bench.nowMs += 172_800_000;
    }
    await bench.run((db) => dropNotifications(db, kept, at, cutoffs));
    const left = await bench.run((db) => db.all<{ id: string }>('SELECT id FROM notifications ORDER BY id'));
    expect(left.map(({ id }) => id)).to.deep.equal(['waiting', 'young']);
    expect(await bench.run((db) => db.number('SELECT count(*) AS value FROM deliveries'))).to.equal(2);
  });

  it('matches a simple list as its model', async () => {
    const state = fc.constantFrom(
      delivery('a'),
      delivery('a', { attempts: 2 }),
      sent('a'),
      delivery('b', { state: 'cancelled', reason: 'overflow' }),
      delivery('b'),
    );
    const change = fc.record({
      id: fc.constantFrom('1', '2', '3'),
      isNew: fc.boolean(),
      deliveries: fc.array(state, { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 6 }), async (batches) => {
        await bench.run((db) => db.exec('DELETE FROM notifications'));
        const rows = new Map<string, Map<string, Delivery>>();
        for (const batch of batches) {
          for (const { id, isNew } of batch) if (isNew && !rows.has(id)) rows.set(id, new Map());
          for (const { id, deliveries } of batch)
            for (const one of deliveries) {
              const former = rows.get(id)?.get(one.service);
              if (former !== undefined && former.state !== 'pending') continue;
              const attempts = Math.max(one.attempts, former?.attempts ?? 0);
              rows.get(id)?.set(one.service, { ...one, attempts });
            }
          await record(
            ...batch.map(({ id, isNew, deliveries }) => ({
              id,
              notification: isNew ? notification(id) : null,
              deliveries,
            })),
          );
        }
        const expected = [...rows].flatMap(([id, list]) =>
          [...list.values()]
            .filter(({ state: now }) => now === 'pending')
            .map(({ service, attempts }) => `${id} ${service} ${String(attempts)}`),
        );
        expect((await waiting()).sort()).to.deep.equal(expected.sort());
      }),
      { numRuns: 60 },
    );
  });
});
