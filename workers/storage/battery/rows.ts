// Reads and writes the state of a battery, and reads what a self test or an outage has shown of it.
import type { LostPower } from '../../../shared/domain/ups/battery/assessment.js';
import type { Verdict } from '../../../shared/domain/ups/self-test.js';
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

export async function verdictOf(db: Database, ups: number): Promise<Verdict | null> {
  const [row] = await db.all<Verdict>(
    `SELECT result, ended AS at FROM self_tests
     WHERE ups = ? AND ended IS NOT NULL AND result IN ('PASSED', 'WARNING', 'FAILED') ORDER BY started DESC LIMIT 1`,
    ups,
  );
  return row ?? null;
}

/** Less charge, and the load may have emptied a good battery. */
const seeminglyGoodCharge = 50;
/** An outage that was seen for less has no charge yet, or that of a UPS that reports none. */
const shortMs = 60_000;
/** Of a UPS without a charge: the default of critical_runtime_threshold, at which a shutdown begins. */
const seeminglyGoodRuntime = 300;
/** Without both: the battery has carried the load for twice the time before. A heavier load alone rarely halves it. */
const carriedBefore = 2;

/**
 * The last outage of the UPS that ended, unseen, with this host: its run has no clean stop and no shutdown, and the next one
 * is of another boot and did not find the UPS on battery.
 */
export async function lostPowerOf(db: Database, ups: number): Promise<LostPower | null> {
  const [row] = await db.all<LostPower>(
    `SELECT begun / 1000.0 AS at, seen / 1000.0 AS seconds, charge
     FROM (SELECT key, started AS begun, ifnull(last, started) - started AS seen, low_charge AS charge, low_runtime AS runtime
         FROM outages WHERE ups = ?1 AND imported = 0 AND ended IS NOT NULL AND end_seen = 0) o
       JOIN runs before ON before.key = (
         SELECT max(key) FROM runs WHERE lifecycle IS NOT NULL AND runs.started * 1000 <= begun + seen)
       JOIN runs after ON after.key = (SELECT min(key) FROM runs WHERE lifecycle IS NOT NULL AND key > before.key)
     WHERE before.stopped IS NULL AND after.boot_id <> before.boot_id AND after.lifecycle <> 'DAEMON_RECOVERED'
       AND ifnull(charge >= ?2, seen < ?3 OR (
         ifnull(runtime >= ?4, seen * ?5 < (SELECT max(seconds) * 1000 FROM battery_discharges d WHERE d.ups = ?1 AND d.started < begun))
         AND NOT EXISTS (SELECT 1 FROM events JOIN ups ON group_id = source WHERE ups.key = ?1
           AND type = 'LOW_BATTERY_FLAG' AND category = 'power_event'
           AND ts BETWEEN begun / 1000 AND (begun + seen + ?3) / 1000)))
       AND NOT EXISTS (SELECT 1 FROM outages next
         WHERE next.ups = ?1 AND next.key > o.key AND next.started < after.started * 1000 + ?3)
     ORDER BY o.key DESC LIMIT 1`,
    ...[ups, seeminglyGoodCharge, shortMs, seeminglyGoodRuntime, carriedBefore],
  );
  return row ?? null;
}
