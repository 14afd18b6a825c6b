import { expect } from 'chai';
import type { NotificationRecord } from '../../../shared/protocol/notification-records.js';
import { loadNotifications, recordNotifications } from '../../../workers/storage/notifications.js';
import { keepReport, recallReports } from '../../../workers/storage/reports.js';
import { Bench } from './fixture.js';

const at = 1_700_000_000;
const record = (id: string, html: string): NotificationRecord => ({
  id,
  notification: { id, at, source: 'daemon', type: 'DAILY_REPORT', text: 'text', urgent: false, html },
  deliveries: [{ service: 'mail', state: 'pending', reason: null, attempts: 0, at }],
});

describe('the reports in storage', () => {
  let bench: Bench;
  beforeEach(() => (bench = new Bench()));
  afterEach(() => bench.end());

  const recall = (marks: readonly { period: 'day' | 'week' | 'month'; to: number }[]) =>
    bench.run(async (db) => (await recallReports(db, { marks })).marks);

  it('have a mark for each period, which begins as asked and moves with a report', async () => {
    expect(await recall([{ period: 'day', to: at }])).to.deep.equal([{ period: 'day', to: at }]);
    await bench.run((db) => keepReport(db, { mark: { period: 'day', to: at + 50 }, record: null }));
    expect(await recall([{ period: 'day', to: at + 10 }])).to.deep.equal([{ period: 'day', to: at + 50 }]);
  });

  it('forget the mark of a period that is not wanted, and keep one of the future', async () => {
    await recall([{ period: 'week', to: at }]);
    await recall([{ period: 'day', to: at + 10 * 86_400 }]);
    expect(
      await recall([
        { period: 'day', to: at + 1 },
        { period: 'week', to: at + 2 },
      ]),
    ).to.deep.equal([
      { period: 'day', to: at + 10 * 86_400 },
      { period: 'week', to: at + 2 },
    ]);
  });

  it('are pending with their page once they are kept, also when they are kept again', async () => {
    const order = { mark: { period: 'day', to: at }, record: record('r-1', '<p>page</p>') } as const;
    await bench.run((db) => keepReport(db, order));
    await bench.run((db) => keepReport(db, order));
    const { tasks } = await bench.run((db) => loadNotifications(db, 0, 'boot'));
    expect(tasks.map(({ notification }) => notification)).to.deep.equal([order.record.notification]);
  });

  it('lose their pages, not their texts, where a frame would be too long', async () => {
    const records = Array.from({ length: 60 }, (_, place) =>
      record(`r-${String(place)}`, 'x'.repeat(30_000)),
    );
    await bench.run((db) => recordNotifications(db, records));
    const { tasks } = await bench.run((db) => loadNotifications(db, 0, 'boot'));
    expect(tasks).to.have.length(60);
    expect(JSON.stringify(tasks).length).to.be.below(2_000_000);
    expect(tasks.filter(({ notification }) => notification.html !== undefined)).to.have.length(33);
  });
});
