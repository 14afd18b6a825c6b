// Reads outages: their rows, shutdowns, events and evidence (specification/storage.md#outages).
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import * as t from 'io-ts';
import { evidenceMarginSeconds, OutageCause, ShutdownRecord } from '../../../shared/domain/outage.js';
import { finite, orNull } from '../../../shared/domain/units.js';
import { StoredEvent } from '../../../shared/http/bodies.js';
import type {
  OutageBody,
  OutageChange,
  OutageReading,
  OutageRow,
} from '../../../shared/http/outage-bodies.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { Ask, ReadOptions, ReadPool } from './read-pool.js';

export interface OutagesQuery {
  /** 1 to 1000. */
  readonly limit: number;
  readonly source: string | null;
  /** Unix seconds: outages that overlap this time. */
  readonly from: number | null;
  readonly to: number | null;
  /** Only outages with a lower id. */
  readonly before: number | null;
}

/** Without the names of the configuration. */
export type StoredOutage = Omit<OutageRow, 'ups' | 'label'>;
export type OutageRecord = Omit<OutageBody, 'generatedAt' | 'ups' | 'label' | 'events'> & {
  readonly events: readonly StoredEvent[];
};

const marginMs = evidenceMarginSeconds * 1000;
/** Evidence of six hours and a half; a longer outage shows its first hours, and the readings at its decisions. */
const maxMinutes = 400;
const maxChanges = 20_000;
const maxEvents = 1_000;
/** The reading that led to a decision is stored a few ms after it. */
const sameMomentMs = 250;
/** A server that needs longer to start is not part of the outage. */
const returnMs = 86_400_000;
const inflate = promisify(inflateRaw);
/** Twice the longest minute that storage writes. */
const maxOutputLength = 2 * 1024 * 1024;

const Row = t.type({
  id: finite,
  source: t.string,
  cause: OutageCause,
  started: finite,
  ended: orNull(finite),
  endSeen: finite,
  interruptions: finite,
  lowestCharge: orNull(finite),
  lowestRuntime: orNull(finite),
  joules: orNull(finite),
});
type Row = t.TypeOf<typeof Row>;
const StoredShutdown = t.type({ started: finite, body: t.string });
const Minutes = t.readonlyArray(t.type({ changes: t.UnknownRecord }));
const Entries = t.readonlyArray(t.tuple([finite, t.record(t.string, orNull(t.string))]));
type Entries = t.TypeOf<typeof Entries>;

const columns = `SELECT o.key AS id, u.group_id AS source, cause, started, ended, end_seen AS endSeen, interruptions,
  low_charge AS lowestCharge, low_runtime AS lowestRuntime, joules FROM outages o JOIN ups u ON u.key = o.ups`;

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
    ...(query.before === null ? [] : ['o.key < $before']),
  ];
  const where = terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`;
  const given = { $source: query.source, $from: query.from, $to: query.to, $before: query.before };
  const used = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null && where.includes(name)),
  );
  return pool.read(
    `outages ${JSON.stringify(query)}`,
    async (ask) => {
      const rows = checked(
        t.readonlyArray(Row),
        await ask(`${columns}${where} ORDER BY o.key DESC LIMIT $limit`, { ...used, $limit: query.limit }),
      );
      const shutdowns = await shutdownsOf(ask, rows);
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
      const [row] = checked(t.readonlyArray(Row), await ask(`${columns} WHERE o.key = $id`, { $id: id }));
      if (row === undefined) return null;
      const shutdowns = (await shutdownsOf(ask, [row])).filter((one) => belongs(one, row));
      const sources = [...sourcesOf(row.source), ...shutdowns.map(({ group }) => group), 'daemon'];
      return {
        ...storedOutage(row),
        shutdowns,
        events: await eventsOf(ask, row, [...new Set(sources)]),
        ...(await evidenceOf(ask, row, shutdowns)),
      };
    },
    options,
  );
}

function checked<C extends t.Mixed>(codec: C, rows: unknown): t.TypeOf<C> {
  if (!codec.is(rows)) throw new Error('unexpected row of an outage');
  return rows as t.TypeOf<C>;
}

function storedOutage(row: Row): Omit<StoredOutage, 'shutdowns'> {
  const { id, source, cause, started, ended, interruptions, joules } = row;
  return {
    id,
    source,
    cause,
    start: started / 1000,
    end: ended === null ? null : ended / 1000,
    endSeen: row.endSeen === 1,
    durationSeconds: ended === null ? null : (ended - started) / 1000,
    interruptions,
    lowestCharge: row.lowestCharge,
    lowestRuntimeSeconds: row.lowestRuntime,
    energyWh: joules === null ? null : joules / 3600,
  };
}

/** All shutdowns of the time of `rows`. */
async function shutdownsOf(ask: Ask, rows: readonly Row[]): Promise<readonly ShutdownRecord[]> {
  if (rows.length === 0) return [];
  const found = await ask(
    'SELECT started, body FROM outage_shutdowns WHERE started >= $from AND started <= $to ORDER BY started',
    {
      $from: Math.min(...rows.map(({ started }) => started)),
      $to: Math.max(...rows.map(({ ended }) => ended ?? Number.MAX_SAFE_INTEGER)),
    },
  );
  return checked(t.readonlyArray(StoredShutdown), found).map(({ body }) =>
    checked(ShutdownRecord, JSON.parse(body)),
  );
}

/** A shutdown belongs to the outage of each UPS that feeds its targets. */
function belongs({ group, fedBy, startedAt }: ShutdownRecord, { source, started, ended }: Row): boolean {
  const at = startedAt * 1000;
  return at >= started && at <= (ended ?? Infinity) && (group === source || fedBy.includes(source));
}

function summaryOf(shutdown: ShutdownRecord): OutageRow['shutdowns'][number] {
  const { group, label, startedAt, trigger, why, dryRun, over, cancelled } = shutdown;
  return { group, label, startedAt, trigger, why, dryRun, over, cancelled };
}

/** From ten minutes before to ten minutes after; returns of servers and of the daemon for a day. */
async function eventsOf(ask: Ask, { started, ended }: Row, sources: readonly string[]) {
  const end = ended ?? Number.MAX_SAFE_INTEGER;
  const rows = await ask(
    `SELECT source, id, ts, type AS eventType, detail, category FROM events
     WHERE source IN (SELECT value FROM json_each($sources)) AND ts >= $from AND category <> 'audit'
       AND (ts <= $to OR ts <= $returned AND type IN
         ('REMOTE_HEALTH_HEALTHY', 'DAEMON_START', 'DAEMON_RECOVERED', 'RECOVERY_TARGET_UP', 'RECOVERY_COMPLETE'))
     ORDER BY ts, source, id LIMIT $limit`,
    {
      $sources: JSON.stringify(sources),
      $from: Math.floor((started - marginMs) / 1000),
      $to: Math.ceil((end + marginMs) / 1000),
      $returned: Math.ceil((end + returnMs) / 1000),
      $limit: maxEvents,
    },
  );
  return checked(t.readonlyArray(StoredEvent), rows);
}

type Evidence = Pick<OutageBody, 'readings' | 'changes' | 'evidenceComplete'>;

async function evidenceOf(ask: Ask, row: Row, shutdowns: readonly ShutdownRecord[]): Promise<Evidence> {
  const { source, started, ended } = row;
  const from = started - marginMs;
  const to = (ended ?? Number.MAX_SAFE_INTEGER) + marginMs;
  const minutes = await minutesOf(ask, source, 'ts >= $from - 60000 AND ts <= $to ORDER BY ts', {
    $from: from,
    $to: to,
    $limit: maxMinutes,
  });
  const changes = changesIn(minutes.flat(), minutes, from, to);
  const decisions = [
    { at: 'start', ms: started },
    ...shutdowns.map(({ group, startedAt }) => ({ at: `shutdown ${group}`, ms: startedAt * 1000 })),
    ...(ended === null ? [] : [{ at: 'end', ms: ended }]),
  ];
  const readings: OutageReading[] = [];
  for (const { at, ms } of decisions) {
    const [minute] = await minutesOf(ask, source, 'ts <= $at ORDER BY ts DESC', {
      $at: ms + sameMomentMs,
      $limit: 1,
    });
    const reading = minute === undefined ? undefined : readingAt(minute, ms + sameMomentMs);
    if (reading !== undefined) readings.push({ ts: ms / 1000, at, variables: reading });
  }
  return {
    readings,
    changes: changes.slice(0, maxChanges),
    evidenceComplete:
      minutes.length > 0 &&
      minutes.length < maxMinutes &&
      changes.length <= maxChanges &&
      readings.length === decisions.length,
  };
}

async function minutesOf(
  ask: Ask,
  source: string,
  condition: string,
  params: Readonly<Record<string, number>>,
): Promise<readonly Entries[]> {
  const rows = await ask(
    `SELECT changes FROM outage_evidence WHERE ups = (SELECT key FROM ups WHERE group_id = $source) AND ${condition}
     LIMIT $limit`,
    { $source: source, ...params },
  );
  const minutes: Entries[] = [];
  for (const { changes } of checked(Minutes, rows)) {
    const text = await inflate(changes as unknown as Buffer, { maxOutputLength });
    minutes.push(checked(Entries, JSON.parse(text.toString('utf8'))));
  }
  return minutes;
}

/** The differences of all readings in time. Each minute begins with a whole reading, of which only the difference is kept. */
function changesIn(
  entries: Entries,
  minutes: readonly Entries[],
  from: number,
  to: number,
): readonly OutageChange[] {
  const whole = new Set(minutes.map(([first]) => first));
  const known = new Map<string, string>();
  const changes: OutageChange[] = [];
  for (const entry of entries) {
    const [ms, after] = entry;
    const gone = whole.has(entry) ? [...known.keys()].filter((name) => !Object.hasOwn(after, name)) : [];
    const variables = Object.fromEntries([
      ...Object.entries(after).filter(([name, value]) => (known.get(name) ?? null) !== value),
      ...gone.map((name) => [name, null] as const),
    ]);
    for (const [name, value] of Object.entries(variables))
      if (value === null) known.delete(name);
      else known.set(name, value);
    if (ms >= from && ms <= to && Object.keys(variables).length > 0)
      changes.push({ ts: ms / 1000, variables });
  }
  return changes;
}

/** The variables at a time; undefined when the minute begins later. */
function readingAt(minute: Entries, atMs: number): Readonly<Record<string, string>> | undefined {
  const known = new Map<string, string>();
  for (const [ms, after] of minute) {
    if (ms > atMs) break;
    for (const [name, value] of Object.entries(after))
      if (value === null) known.delete(name);
      else known.set(name, value);
  }
  return known.size === 0 ? undefined : Object.fromEntries(known);
}
