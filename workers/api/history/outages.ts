// Reads outages: their rows, shutdowns, events and evidence (specification/storage.md#outages).
import * as t from 'io-ts';
import { flagsOfEstimate } from '../../../shared/domain/ups/energy.js';
import { evidenceMarginSeconds, OutageCause, ShutdownRecord } from '../../../shared/domain/outage/outage.js';
import { finite, orNull } from '../../../shared/domain/base/units.js';
import { StoredEvent } from '../../../shared/http/bodies.js';
import type { OutageBody, OutageRow } from '../../../shared/http/outage-bodies.js';
import { inDoubtSql } from '../../../shared/protocol/boot-clocks.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { checkRows, datesBefore, evidenceOf } from './outage-evidence.js';
import type { Ask, ReadOptions, ReadPool } from './read-pool.js';

export interface OutagesQuery {
  /** 1 to 1000. */
  readonly limit: number;
  readonly source: string | null;
  /** Unix seconds: outages that overlap this time. */
  readonly from: number | null;
  readonly to: number | null;
  /** Only outages that began before the one with this id. */
  readonly before: number | null;
}

/** Without the names of the configuration. */
export type StoredOutage = Omit<OutageRow, 'ups' | 'label'>;
export type OutageRecord = Omit<OutageBody, 'generatedAt' | 'ups' | 'label' | 'events'> & {
  readonly events: readonly StoredEvent[];
};

const marginMs = evidenceMarginSeconds * 1000;
const maxEvents = 1_000;
/** More than the longest failsafe_delay: the failsafe shuts down that long after the last reading, which is an unseen end. */
const failsafeMs = 7_200_000;
/** A server that needs longer to start is not part of the outage. */
const returnMs = 86_400_000;

const Row = t.type({
  id: finite,
  source: t.string,
  cause: OutageCause,
  started: finite,
  ended: orNull(finite),
  dated: orNull(finite),
  endSeen: finite,
  inDoubt: finite,
  interruptions: finite,
  lowestCharge: orNull(finite),
  lowestRuntime: orNull(finite),
  joules: orNull(finite),
  estimated: finite,
  shutdownsUntil: finite,
});
type Row = t.TypeOf<typeof Row>;
const StoredShutdown = t.type({ body: t.string });

const forever = String(Number.MAX_SAFE_INTEGER);
/** It went over a boot, and the clock was set in one of its boots. */
const lengthInDoubt = `former_boots IS NOT NULL AND EXISTS
  (SELECT 1 FROM json_each(json_insert(former_boots, '$[#]', boot)) j WHERE ${inDoubtSql('j.value')})`;
const columns = `SELECT o.key AS id, u.group_id AS source, cause, started, ended, dated, end_seen AS endSeen, interruptions,
  ${lengthInDoubt} AS inDoubt,
  low_charge AS lowestCharge, low_runtime AS lowestRuntime, joules, estimated,
  min(ifnull(ended + iif(end_seen, 0, ${String(failsafeMs)}), ${forever}),
    ifnull((SELECT min(n.started) - 1 FROM outages n WHERE n.ups = o.ups AND n.started > o.started), ${forever})) AS shutdownsUntil
  FROM outages o JOIN ups u ON u.key = o.ups`;

/** The newest outages that match, oldest first. */
export function readOutages(
  pool: ReadPool,
  query: OutagesQuery,
  options: ReadOptions,
): Promise<Outcome<readonly StoredOutage[]>> {
  const terms = [
    ...(query.source === null ? [] : ['u.group_id = $source']),
    ...(query.from === null ? [] : ['(ended IS NULL OR ended >= $from * 1000)']),
    ...(query.to === null ? [] : ['started <= $to * 1000']),
    ...(query.before === null
      ? []
      : ['(o.started, o.key) < (SELECT started, key FROM outages WHERE key = $before)']),
  ];
  const where = terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`;
  const given = { $source: query.source, $from: query.from, $to: query.to, $before: query.before };
  const used = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null && where.includes(name)),
  );
  return pool.read(
    `outages ${JSON.stringify(query)}`,
    async (ask) => {
      const rows = checkRows(
        t.readonlyArray(Row),
        await ask(`${columns}${where} ORDER BY o.started DESC, o.key DESC LIMIT $limit`, {
          ...used,
          $limit: query.limit,
        }),
      );
      const shutdowns = await shutdownsOf(ask, rows, 'summary');
      return [...rows].reverse().map((row) => ({
        ...storedOutage(row),
        shutdowns: shutdowns.filter((one) => belongs(one, row)).map(summaryOf),
      }));
    },
    options,
  );
}

/** One outage with everything that is known of it; null when there is none. `sources`: the groups of a UPS. */
export function readOutage(
  pool: ReadPool,
  id: number,
  sourcesOf: (source: string) => readonly string[],
  options: ReadOptions,
): Promise<Outcome<OutageRecord | null>> {
  return pool.read(
    `outage ${String(id)}`,
    async (ask) => {
      const [row] = checkRows(t.readonlyArray(Row), await ask(`${columns} WHERE o.key = $id`, { $id: id }));
      if (row === undefined) return null;
      const shutdowns = (await shutdownsOf(ask, [row], 'whole')).filter((one) => belongs(one, row));
      const sources = [...sourcesOf(row.source), ...shutdowns.map(({ group }) => group), 'daemon'];
      return {
        ...storedOutage(row),
        shutdowns,
        events: await eventsOf(ask, row, [...new Set(sources)]),
        ...(await evidenceOf(ask, { ...row, shutdowns })),
      };
    },
    options,
  );
}

function storedOutage(row: Row): Omit<StoredOutage, 'shutdowns'> {
  const { id, source, cause, started, ended, interruptions, joules } = row;
  const { estimated, powerFactor } = flagsOfEstimate(row.estimated);
  return {
    id,
    source,
    cause,
    start: started / 1000,
    end: ended === null ? null : ended / 1000,
    endSeen: row.endSeen === 1,
    durationSeconds: ended === null ? null : Math.max(0, ended - started) / 1000,
    durationUncertain: row.inDoubt === 1,
    clockSetSeconds: row.dated === null ? null : (started - row.dated) / 1000,
    interruptions,
    lowestCharge: row.lowestCharge,
    lowestRuntimeSeconds: row.lowestRuntime,
    energyWh: joules === null ? null : joules / 3600,
    energyEstimated: estimated,
    powerFactor,
  };
}

/** All shutdowns of the time of `rows`. A summary has no steps: a plan of a thousand servers is some hundred kB. */
async function shutdownsOf(
  ask: Ask,
  rows: readonly Row[],
  part: 'summary' | 'whole',
): Promise<readonly ShutdownRecord[]> {
  if (rows.length === 0) return [];
  const found = await ask(
    `SELECT ${part === 'whole' ? 'body' : `json_set(body, '$.steps', json('[]')) AS body`}
     FROM outage_shutdowns WHERE started >= $from AND started <= $to ORDER BY started`,
    {
      $from: Math.min(...rows.map(({ started, dated }) => Math.min(started, dated ?? started))),
      $to: Math.max(...rows.map(({ shutdownsUntil }) => shutdownsUntil)),
    },
  );
  return checkRows(t.readonlyArray(StoredShutdown), found).map(({ body }) =>
    checkRows(ShutdownRecord, JSON.parse(body)),
  );
}

/** A shutdown belongs to one outage of each UPS that feeds its targets: the last that began before it. */
function belongs({ group, fedBy, startedAt }: ShutdownRecord, row: Row): boolean {
  const { source, started, shutdownsUntil } = row;
  const at = Math.floor(startedAt * 1000);
  const isIn = (at >= started && at <= shutdownsUntil) || isInOldDates(row, at);
  return isIn && (group === source || fedBy.includes(source));
}

function isInOldDates({ dated, started, ended }: Row, at: number): boolean {
  return dated !== null && at >= dated && at <= dated + (ended ?? started) - started;
}

function summaryOf(shutdown: ShutdownRecord): OutageRow['shutdowns'][number] {
  const { group, label, startedAt, trigger, why, dryRun, over, cancelled } = shutdown;
  return { group, label, startedAt, trigger, why, dryRun, over, cancelled };
}

/**
 * From ten minutes before to ten minutes after; returns of servers and of the daemon for a day. In the order of time; where the
 * clock was set, as they were recorded.
 */
async function eventsOf(ask: Ask, { started, ended, dated }: Row, sources: readonly string[]) {
  const end = ended ?? Number.MAX_SAFE_INTEGER;
  const old = datesBefore({ started, ended, dated });
  const rows = await ask(
    `SELECT source, id, ts, type AS eventType, detail, category FROM events
     WHERE source IN (SELECT value FROM json_each($sources)) AND category <> 'audit'
       AND (ts >= $from AND (ts <= $to OR ts <= $returned AND type IN
         ('REMOTE_HEALTH_HEALTHY', 'DAEMON_START', 'DAEMON_RECOVERED', 'RECOVERY_TARGET_UP', 'RECOVERY_COMPLETE'))
         OR ts >= $oldFrom AND ts <= $oldTo)
     ORDER BY ${dated === null ? 'ts, source, id' : 'id'} LIMIT $limit`,
    {
      $oldFrom: Math.floor(old.from / 1000),
      $oldTo: Math.ceil(old.to / 1000),
      $sources: JSON.stringify(sources),
      $from: Math.floor((started - marginMs) / 1000),
      $to: Math.ceil((end + marginMs) / 1000),
      $returned: Math.ceil((end + returnMs) / 1000),
      $limit: maxEvents,
    },
  );
  return checkRows(t.readonlyArray(StoredEvent), rows);
}
