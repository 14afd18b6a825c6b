// Reads and writes the state of a battery, and reads the last verdict of a self test.
import type { SelfTestResult } from '../../../shared/domain/self-test.js';
import type { Database } from '../database.js';
import { BatteryState } from './state.js';

/** Null for a UPS without one, or with one of another version. */
export async function loadState(
  db: Database,
  groupId: string,
): Promise<{ readonly ups: number; readonly state: BatteryState } | null> {
  const [row] = await db.all<{ readonly ups: number; readonly body: string }>(
    'SELECT ups, body FROM battery_state JOIN ups ON key = ups WHERE group_id = ?',
    groupId,
  );
  if (row === undefined) return null;
  const state: unknown = JSON.parse(row.body);
  return BatteryState.is(state) ? { ups: row.ups, state } : null;
}

export async function saveState(db: Database, ups: number, state: BatteryState): Promise<void> {
  await db.run('INSERT OR REPLACE INTO battery_state VALUES (?, ?)', ups, JSON.stringify(state));
}

export async function verdictOf(
  db: Database,
  ups: number,
): Promise<{ readonly result: SelfTestResult; readonly at: number } | null> {
  const [row] = await db.all<{ readonly result: SelfTestResult; readonly at: number }>(
    `SELECT result, ended AS at FROM self_tests
     WHERE ups = ? AND ended IS NOT NULL AND result IN ('PASSED', 'FAILED') ORDER BY started DESC LIMIT 1`,
    ups,
  );
  return row ?? null;
}
