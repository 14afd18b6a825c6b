// Records starts and stops of the daemon: distinguishes restart, upgrade, crash and recovery after an outage.
import { truncate } from '../../shared/domain/base/truncate.js';
import type { EventType } from '../../shared/domain/status/events.js';
import { inDoubtSql } from '../../shared/protocol/boot-clocks.js';
import type { GaugeRead } from '../../shared/protocol/gauges.js';
import { maxSummaryLength, maxDetailLength } from '../../shared/protocol/storage.js';
import type { Database } from './database.js';
import { insertEvent, runKey } from './events.js';
import { gaugesRead } from './gauges.js';

export interface RunStart {
  readonly run: string;
  readonly bootId: string;
  readonly version: string;
  readonly at: number;
  /** Since the boot. */
  readonly bootMs?: number;
  /** The summary of a shutdown from a journal of another boot; null without one. */
  readonly recovered: string | null;
}

export interface StartedRun {
  readonly type: EventType;
  /** Null when lifecycle events are not stored. */
  readonly id: number | null;
  readonly ts: number;
  readonly detail: string;
  readonly gauges: readonly GaugeRead[];
}

export type LifecycleType = Extract<
  EventType,
  'DAEMON_START' | 'DAEMON_RESTARTED' | 'DAEMON_RECOVERED' | 'DAEMON_UPGRADED' | 'DAEMON_AFTER_CRASH'
>;

/** The run before this one; null on the first start with this database. */
export interface FormerRun {
  readonly bootId: string;
  readonly version: string;
  /** Unix seconds; null without a mark of a clean stop. */
  readonly stopped: number | null;
  /** The same since the boot; null where it is not known. */
  readonly stoppedMs: number | null;
  /** 1: the clock of its boot was set. */
  readonly isDateInDoubt: number;
  /** The summary of a shutdown that was not over; null without one. */
  readonly sequence: string | null;
}

/** The kind of this start: the first that applies (specification/storage.md#starts-of-the-daemon). */
export function lifecycleOf(beginning: RunStart, former: FormerRun | null): LifecycleType {
  const { bootId, version } = beginning;
  if (doneBefore(beginning, former) !== null) return 'DAEMON_RECOVERED';
  if (former === null) return 'DAEMON_START';
  if (former.version !== version) return 'DAEMON_UPGRADED';
  if (former.stopped === null) return 'DAEMON_AFTER_CRASH';
  return former.bootId === bootId ? 'DAEMON_RESTARTED' : 'DAEMON_START';
}

/** The summary of the shutdown that turned the machine off: from its journal, else from the note on disk. */
function doneBefore({ bootId, recovered }: RunStart, former: FormerRun | null): string | null {
  return recovered ?? (former !== null && former.bootId !== bootId ? former.sequence : null);
}

/** Records the start, once per run; a repeated call returns the same. `keep`: whether lifecycle events are stored. */
export function beginRun(db: Database, beginning: RunStart, keep: boolean): Promise<StartedRun> {
  return db.transaction(async () => {
    const key = await runKey(db, beginning.run);
    const [known] = await db.all<{ type: EventType; id: number | null; ts: number; detail: string }>(
      `SELECT lifecycle AS type, lifecycle_event AS id, started AS ts, lifecycle_detail AS detail
       FROM runs WHERE key = ? AND lifecycle IS NOT NULL`,
      key,
    );
    // A version without this bound may have written it.
    const gauges = await gaugesRead(db);
    if (known !== undefined) return { ...known, detail: truncate(known.detail, maxDetailLength), gauges };
    const [former] = await db.all<FormerRun>(
      `SELECT boot_id AS bootId, version, stopped, stopped_ms AS stoppedMs, sequence,
         ${inDoubtSql('boot_id')} AS isDateInDoubt FROM runs
       WHERE lifecycle IS NOT NULL AND key < ? ORDER BY key DESC LIMIT 1`,
      key,
    );
    const type = lifecycleOf(beginning, former ?? null);
    const onBattery = await db.all<{ groupId: string }>(
      `SELECT group_id AS groupId FROM outages o JOIN ups u ON u.key = o.ups WHERE ended IS NULL AND imported = 0 LIMIT 20`,
    );
    const detail = detailOf(
      beginning,
      former ?? null,
      onBattery.map(({ groupId }) => groupId),
    );
    const id = keep ? await insertEvent(db, { at: beginning.at, source: 'daemon', type, detail }) : null;
    const ts = Math.floor(beginning.at);
    await db.run(
      `UPDATE runs SET boot_id = ?, version = ?, started = ?, lifecycle = ?, lifecycle_event = ?, lifecycle_detail = ?,
         sequence = ?
       WHERE key = ?`,
      beginning.bootId,
      beginning.version,
      ts,
      type,
      id,
      detail,
      // On the same boot the shutdown is still under way: a restart of the daemon keeps the note.
      former?.bootId === beginning.bootId ? former.sequence : null,
      key,
    );
    await deleteRuns(db);
    return { type, id, ts, detail, gauges };
  });
}

/** Stores the summary of a shutdown under way; null once it is over. A run of another boot does not inherit it. */
export async function saveSequence(
  db: Database,
  { run, sequence }: { readonly run: string; readonly sequence: string | null },
): Promise<Record<string, never>> {
  return db.transaction(async () => {
    await db.run('UPDATE runs SET sequence = ? WHERE key = ?', sequence, await runKey(db, run));
    return {};
  });
}

/** Records the clean stop, once per run. */
export function endRun(
  db: Database,
  ending: { readonly run: string; readonly at: number; readonly bootMs?: number; readonly detail: string },
  keep: boolean,
): Promise<{ readonly id: number | null; readonly ts: number }> {
  return db.transaction(async () => {
    const key = await runKey(db, ending.run);
    const ts = Math.floor(ending.at);
    const stoppedMs = ending.bootMs === undefined ? null : Math.floor(ending.bootMs);
    const first = await db.run(
      'UPDATE runs SET stopped = ?, stopped_ms = ? WHERE key = ? AND stopped IS NULL',
      ...[ts, stoppedMs, key],
    );
    if (first === 0 || !keep) return { id: null, ts };
    const id = await insertEvent(db, {
      at: ending.at,
      source: 'daemon',
      type: 'DAEMON_STOP',
      detail: ending.detail,
    });
    return { id, ts };
  });
}

/** Deletes old runs without events: a crash loop must not grow the table without limit. */
async function deleteRuns(db: Database): Promise<void> {
  await db.run(
    `DELETE FROM runs WHERE key < (SELECT max(key) FROM runs) - ${String(runsRemembered)}
     AND NOT EXISTS (SELECT 1 FROM events e WHERE e.run = runs.key)`,
  );
}

/** Runs that are always kept: their supervisor might still send events. */
const runsRemembered = 16;

function detailOf(beginning: RunStart, former: FormerRun | null, onBattery: readonly string[]): string {
  const { version } = beginning;
  const parts = [`version ${version}`];
  if (former !== null && former.version !== version) parts.push(`previous version ${former.version}`);
  const done = doneBefore(beginning, former);
  // Leaves room for the parts that follow.
  if (done !== null) parts.push(`a shutdown stopped the machine: ${truncate(done, maxSummaryLength)}`);
  if (former?.stopped === null) {
    const outage = onBattery.length === 0 ? '' : `, with ${onBattery.join(' and ')} on battery`;
    parts.push(`the previous run ended without a clean stop${outage}`);
  } else if (former !== null) parts.push(downText(beginning, former, former.stopped));
  return truncate(parts.join('; '), maxDetailLength);
}

/** In one boot by its clock; over a boot by the wall clock, where that tells it. */
function downText({ bootId, bootMs, at }: RunStart, former: FormerRun, stopped: number): string {
  const { stoppedMs } = former;
  const isSameBoot =
    former.bootId === bootId && bootMs !== undefined && stoppedMs !== null && bootMs >= stoppedMs;
  const seconds = isSameBoot ? (bootMs - stoppedMs) / 1000 : at - stopped;
  return seconds < 0 || (!isSameBoot && former.isDateInDoubt === 1)
    ? 'down for an unknown time, since the clock was set'
    : `down for ${String(Math.floor(seconds))} s`;
}
