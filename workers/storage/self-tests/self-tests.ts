// Stores battery tests and recalls what a starting daemon needs of them. Not in the events, which operators and the retention
// delete.
import type { SelfTestRecord } from '../../../shared/domain/ups/self-test.js';
import { notStarted } from '../../../shared/domain/ups/self-test.js';
import type { RecalledTests, SelfTestRow, TestSchedule } from '../../../shared/protocol/self-tests.js';
import type { Database } from '../database.js';

/** A daily test for a year and a half, or a monthly one for 40 years; then the oldest goes. */
const keptPerUps = 500;
/** An outage this long ago is over for a test. */
const outageSeconds = 3_600;

/** A test by the schedule that did not start. */
const isNotStarted = `source = 'scheduler' AND result = 'UNKNOWN' AND raw LIKE '${notStarted}%'`;

const columns = 'started AS startedTs, ended AS endedTs, command, source, result, raw, date';

/** Inserts or replaces each test by UPS and start. */
export function keepTests(db: Database, tests: readonly SelfTestRow[]): Promise<object> {
  return db.transaction(async () => {
    for (const { groupId, test } of tests) {
      const ups = await keyOf(db, groupId);
      const { startedTs, endedTs, command, source, result, raw, date } = test;
      // Of a start that was stored too late, no end is ever sent.
      await db.run(
        `UPDATE self_tests SET ended = started, result = 'UNKNOWN', raw = '${notStarted}it was stored too late'
         WHERE ups = ? AND ended IS NULL AND started < ?`,
        ...[ups, startedTs],
      );
      // The next try replaces it: tries that are refused for months would push out the tests.
      if (source === 'scheduler')
        await db.run(`DELETE FROM self_tests WHERE ups = ? AND ${isNotStarted}`, ups);
      await db.run(
        'INSERT OR REPLACE INTO self_tests VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        ...[ups, startedTs, endedTs, command, source, result, raw, date],
      );
      await db.run(
        `DELETE FROM self_tests WHERE ups = $1 AND started <=
         (SELECT started FROM self_tests WHERE ups = $1 ORDER BY started DESC LIMIT 1 OFFSET ${String(keptPerUps)})`,
        ups,
      );
    }
    return {};
  });
}

/** What the daemon must know of each UPS; records since when its schedule is in effect. */
export async function recallTests(
  db: Database,
  { schedules, at }: { readonly schedules: readonly TestSchedule[]; readonly at: number },
): Promise<{ ups: readonly RecalledTests[] }> {
  const ups: RecalledTests[] = [];
  await db.transaction(async () => {
    for (const schedule of schedules) ups.push(await recallUps(db, schedule, Math.floor(at)));
  });
  return { ups };
}

async function recallUps(
  db: Database,
  { groupId, schedule }: TestSchedule,
  at: number,
): Promise<RecalledTests> {
  const ups = await keyOf(db, groupId);
  await db.run(
    `INSERT INTO self_test_schedules VALUES ($1, $2, $3)
     ON CONFLICT (ups) DO UPDATE SET schedule = $2, since = $3 WHERE schedule <> $2`,
    ...[ups, schedule, at],
  );
  const newest = async (condition: string): Promise<SelfTestRecord | null> => {
    const [row] = await db.all<SelfTestRecord>(
      `SELECT ${columns} FROM self_tests WHERE ups = ? AND ${condition} ORDER BY started DESC LIMIT 1`,
      ups,
    );
    return row ?? null;
  };
  return {
    groupId,
    running: await newest('ended IS NULL'),
    last: await newest('ended IS NOT NULL'),
    verdict: await newest(`ended IS NOT NULL AND result IN ('PASSED', 'WARNING', 'FAILED')`),
    scheduledTs: (await newest(`source = 'scheduler' AND NOT (${isNotStarted})`))?.startedTs ?? null,
    sinceTs: await db.number('SELECT since AS value FROM self_test_schedules WHERE ups = ?', ups),
    outageTs: await lastOutage(db, ups, at),
  };
}

/**
 * When the UPS was last on battery in the last hour, other than for a test; null when it was not. An outage that ended after now
 * counts as well: the clock of a machine that has just started may not be set yet.
 */
async function lastOutage(db: Database, ups: number, at: number): Promise<number | null> {
  const ended = await db.value(
    `SELECT coalesce(ended, last, started) / 1000 AS value FROM outages
     WHERE ups = ? AND cause = 'outage' AND imported = 0 ORDER BY key DESC LIMIT 1`,
    ups,
  );
  return typeof ended !== 'number' || ended < at - outageSeconds ? null : Math.min(ended, at);
}

async function keyOf(db: Database, groupId: string): Promise<number> {
  await db.run('INSERT INTO ups (group_id) VALUES (?) ON CONFLICT DO NOTHING', groupId);
  return db.number('SELECT key AS value FROM ups WHERE group_id = ?', groupId);
}
