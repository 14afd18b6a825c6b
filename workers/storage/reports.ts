// Stores which period each kind of report was last sent for, with the message itself: a report is sent once, also over a crash.
import type { ReportMark } from '../../shared/protocol/reports.js';
import type { NotificationRecord } from '../../shared/protocol/notification-records.js';
import type { Database } from './database.js';
import { insertNotifications } from './notifications.js';

const nameOf = ({ period }: Pick<ReportMark, 'period'>): string => `report_${period}`;

/** The stored marks of these kinds; a kind without one gets the given mark. Forgets the marks of all other kinds. */
export function recallReports(
  db: Database,
  { marks: wanted }: { readonly marks: readonly ReportMark[] },
): Promise<{ marks: ReportMark[] }> {
  return db.transaction(async () => {
    await db.run(
      `DELETE FROM marks WHERE name GLOB 'report_*' AND name NOT IN (SELECT value FROM json_each(?))`,
      JSON.stringify(wanted.map(nameOf)),
    );
    const marks: ReportMark[] = [];
    for (const mark of wanted) {
      await db.run('INSERT INTO marks VALUES (?, ?) ON CONFLICT DO NOTHING', nameOf(mark), mark.to);
      const to = await db.number('SELECT value FROM marks WHERE name = ?', nameOf(mark));
      marks.push({ period: mark.period, to });
    }
    return { marks };
  });
}

/** One transaction: afterwards the report is sent, even if this daemon ends now. */
export function keepReport(
  db: Database,
  order: { readonly mark: ReportMark; readonly record: NotificationRecord | null },
): Promise<object> {
  const { mark, record } = order;
  return db.transaction(async () => {
    await db.run('INSERT OR REPLACE INTO marks VALUES (?, ?)', ...[nameOf(mark), mark.to]);
    return insertNotifications(db, record === null ? [] : [record]);
  });
}
