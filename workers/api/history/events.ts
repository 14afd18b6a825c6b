// Reads events (specification/api-resources.md#events-query): the newest that match, a page at a time, filtered by SQLite.
import * as t from 'io-ts';
import type { EventCategory } from '../../../shared/domain/status/events.js';
import { tierOf } from '../../../shared/domain/status/event-names.js';
import { StoredEvent } from '../../../shared/http/bodies.js';
import { eventSetSql } from '../../../shared/protocol/boot-clocks.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { SqlValue } from './connection.js';
import type { ReadOptions, ReadPool } from './read-pool.js';

export interface EventsQuery {
  /** 1 to 10000. */
  readonly limit: number;
  readonly verbosity: 0 | 1 | 2;
  readonly category: EventCategory | null;
  /** Unix seconds, an integer, inclusive. */
  readonly from: number | null;
  readonly to: number | null;
  /** With `at`: strictly before (ts, source, id). Without: up to and including `ts`. */
  readonly before: {
    readonly ts: number;
    readonly at: { readonly source: string; readonly id: number } | null;
  } | null;
}

const Records = t.readonlyArray(t.UnknownRecord);
const StoredEvents = t.readonlyArray(StoredEvent);

const allCategories = ['power_event', 'shutdown', 'diagnostics', 'audit', 'lifecycle'] as const;

/** The newest `limit` events that match, in ascending order of (ts, source, id). */
export async function readEvents(
  pool: ReadPool,
  query: EventsQuery,
  options: ReadOptions,
): Promise<Outcome<readonly StoredEvent[]>> {
  const categories = allCategories.filter(
    (category) =>
      tierOf(category) <= query.verbosity && (query.category === null || query.category === category),
  );
  if (categories.length === 0) return { ok: true, value: [] };
  const { where, params } = conditionsOf(query);
  // One index scan per category, each ended by the limit: rare events are found without reading the frequent ones.
  const newestOf = (category: EventCategory): string =>
    `SELECT * FROM (SELECT source, id, ts, type, detail, category, run, boot_ms FROM events
       WHERE category = '${category}'${where} ORDER BY ts DESC, source DESC, id DESC LIMIT $limit)`;
  const sql = `SELECT source, id, ts, type AS eventType, detail, category, ${eventSetSql} AS clockSetSeconds
    FROM (${categories.map(newestOf).join(' UNION ALL ')}) e
    ORDER BY ts DESC, source DESC, id DESC LIMIT $limit`;
  return pool.read(
    `events ${JSON.stringify(query)}`,
    async (ask) => {
      const found = await ask(sql, { ...params, $limit: query.limit });
      const rows =
        Records.is(found) &&
        found.map(({ clockSetSeconds, ...row }) =>
          clockSetSeconds === null ? row : { ...row, clockSetSeconds },
        );
      if (!StoredEvents.is(rows)) throw new Error('unexpected row of an event');
      return [...rows].reverse();
    },
    options,
  );
}

function conditionsOf({ from, to, before }: EventsQuery): {
  readonly where: string;
  readonly params: Readonly<Record<string, SqlValue>>;
} {
  const terms: (readonly [string, Readonly<Record<string, SqlValue>>])[] = [];
  if (from !== null) terms.push(['ts >= $from', { $from: from }]);
  if (to !== null) terms.push(['ts <= $to', { $to: to }]);
  if (before !== null && before.at === null) terms.push(['ts <= $before', { $before: before.ts }]);
  if (before !== null && before.at !== null)
    terms.push([
      '(ts, source, id) < ($before, $source, $id)',
      { $before: before.ts, $source: before.at.source, $id: before.at.id },
    ]);
  return {
    where: terms.map(([term]) => ` AND ${term}`).join(''),
    params: Object.assign({}, ...terms.map(([, params]) => params)) as Readonly<Record<string, SqlValue>>,
  };
}
