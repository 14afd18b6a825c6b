// Reads the evidence of an outage: every change of a variable around it, and the readings at its decisions
// (specification/storage.md#outages). A UPS may change hundreds of variables with each poll: what is read at once is bounded.
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import * as t from 'io-ts';
import { evidenceMarginSeconds } from '../../../shared/domain/outage/outage.js';
import { finite, orNull } from '../../../shared/domain/base/units.js';
import type { OutageBody, OutageChange, OutageReading } from '../../../shared/http/outage-bodies.js';
import type { Ask } from './read-pool.js';

const marginMs = evidenceMarginSeconds * 1000;
/** A minute is stored under its first change. */
const minuteMs = 60_000;
/** Evidence of six hours and a half; a longer outage shows its first hours, and the readings at its decisions. */
const maxMinutes = 400;
/** Deflated and as text, of one answer: ten times those of an outage of six hours with a device of 40 variables. */
const maxBytes = 8 * 1024 * 1024;
const maxChars = 16 * 1024 * 1024;
const maxChanges = 20_000;
/** Minutes of one query. */
const perRead = 32;
/** The reading that led to a decision is stored a few ms after it. */
const sameMomentMs = 250;
const inflate = promisify(inflateRaw);
/** Twice the longest minute that storage writes. */
const maxOutputLength = 2 * 1024 * 1024;

const Sizes = t.readonlyArray(t.type({ key: finite, bytes: finite }));
const Minutes = t.readonlyArray(t.type({ changes: t.UnknownRecord }));
const Entries = t.readonlyArray(t.tuple([finite, t.record(t.string, orNull(t.string))]));
type Entries = t.TypeOf<typeof Entries>;

/** The time of an outage in Unix ms, and its shutdowns. */
export interface EvidenceOrder {
  readonly source: string;
  readonly started: number;
  readonly ended: number | null;
  /** Its begin as recorded, where the wall clock was set since. */
  readonly dated: number | null;
  readonly shutdowns: readonly { readonly group: string; readonly startedAt: number }[];
}
export type Evidence = Pick<OutageBody, 'readings' | 'changes' | 'evidenceComplete'>;

/** Rows of the database; any other shape is a bug. */
export function checkRows<C extends t.Mixed>(codec: C, rows: unknown): t.TypeOf<C> {
  if (!codec.is(rows)) throw new Error('unexpected row of an outage');
  return rows as t.TypeOf<C>;
}

/** The dates of what was recorded before the wall clock was set; none where it was not. */
export function datesBefore({ started, ended, dated }: Pick<EvidenceOrder, 'started' | 'ended' | 'dated'>) {
  if (dated === null) return { from: 0, to: -1 };
  return { from: dated - marginMs, to: dated + (ended ?? started) - started };
}

/** A date that only a reading of before the clock was set can have; one that both can have counts as of after it. */
function isBeforeSet({ started, ended, dated }: EvidenceOrder, ms: number): boolean {
  if (dated === null) return false;
  return dated < started ? ms < started : ms > (ended ?? Infinity);
}

export async function evidenceOf(ask: Ask, order: EvidenceOrder): Promise<Evidence> {
  const { source, started, ended, dated } = order;
  const old = datesBefore(order);
  const from = started - marginMs;
  const to = (ended ?? Number.MAX_SAFE_INTEGER) + marginMs;
  const { minutes, isAll } = await minutesOf(
    ask,
    source,
    '(ts >= $from AND ts <= $to OR ts >= $oldFrom AND ts <= $oldTo) ORDER BY key',
    {
      $oldFrom: old.from - minuteMs,
      $oldTo: old.to,
      $from: from - minuteMs,
      $to: to,
      $limit: maxMinutes,
    },
  );
  const dateOf = (ms: number): number | null => {
    if (ms >= from && ms <= to && !isBeforeSet(order, ms)) return ms;
    return dated !== null && ms >= old.from && ms <= old.to ? ms + started - dated : null;
  };
  const changes = changesIn(minutes, dateOf);
  const decisions = [
    { at: 'start', ms: dated ?? started, shownMs: started },
    ...order.shutdowns.map(({ group, startedAt }) => {
      const ms = startedAt * 1000;
      return { at: `shutdown ${group}`, ms, shownMs: ms };
    }),
    ...(ended === null ? [] : [{ at: 'end', ms: ended, shownMs: ended }]),
  ];
  const readings: OutageReading[] = [];
  for (const { at, ms, shownMs } of decisions) {
    const variables = await readingAt(ask, source, ms + sameMomentMs);
    if (variables !== undefined) readings.push({ ts: shownMs / 1000, at, variables });
  }
  const fits = isAll && minutes.length < maxMinutes && changes.length <= maxChanges;
  return {
    readings,
    changes: changes.slice(0, maxChanges),
    evidenceComplete: fits && minutes.length > 0 && readings.length === decisions.length,
  };
}

/** `isAll`: those that match fit into the bounds of an answer. */
async function minutesOf(
  ask: Ask,
  source: string,
  condition: string,
  params: Readonly<Record<string, number>>,
): Promise<{ readonly minutes: readonly Entries[]; readonly isAll: boolean }> {
  const sizes = checkRows(
    Sizes,
    await ask(
      `SELECT key, length(changes) AS bytes FROM outage_evidence
       WHERE ups = (SELECT key FROM ups WHERE group_id = $source) AND ${condition} LIMIT $limit`,
      { $source: source, ...params },
    ),
  );
  let bytes = 0;
  const keys = sizes.filter((size) => (bytes += size.bytes) <= maxBytes).map(({ key }) => key);
  const minutes: Entries[] = [];
  let chars = 0;
  for (let from = 0; from < keys.length && chars <= maxChars; from += perRead) {
    const rows = await ask(
      'SELECT changes FROM outage_evidence WHERE key IN (SELECT value FROM json_each($keys)) ORDER BY key',
      { $keys: JSON.stringify(keys.slice(from, from + perRead)) },
    );
    for (const { changes } of checkRows(Minutes, rows)) {
      if (chars > maxChars) break;
      const text = await inflate(changes as unknown as Buffer, { maxOutputLength });
      chars += text.length;
      minutes.push(checkRows(Entries, JSON.parse(text.toString('utf8'))));
    }
  }
  return { minutes, isAll: minutes.length === sizes.length };
}

/** The differences of all readings in time. Each minute begins with a whole reading, of which only the difference is kept. */
function changesIn(
  minutes: readonly Entries[],
  dateOf: (ms: number) => number | null,
): readonly OutageChange[] {
  const known = new Map<string, string>();
  const changes: OutageChange[] = [];
  for (const minute of minutes)
    for (const [place, [ms, after]] of minute.entries()) {
      const gone = place === 0 ? [...known.keys()].filter((name) => !Object.hasOwn(after, name)) : [];
      const variables = Object.fromEntries([
        ...Object.entries(after).filter(([name, value]) => (known.get(name) ?? null) !== value),
        ...gone.map((name) => [name, null] as const),
      ]);
      change(known, variables);
      const at = dateOf(ms);
      if (at !== null && Object.keys(variables).length > 0) changes.push({ ts: at / 1000, variables });
    }
  return changes;
}

/** The variables at a time; undefined when nothing of that minute is stored. */
async function readingAt(
  ask: Ask,
  source: string,
  atMs: number,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { minutes } = await minutesOf(ask, source, 'ts <= $at ORDER BY ts DESC', { $at: atMs, $limit: 1 });
  const known = new Map<string, string>();
  for (const [ms, after] of minutes[0] ?? []) {
    if (ms > atMs) break;
    change(known, after);
  }
  return known.size === 0 ? undefined : Object.fromEntries(known);
}

function change(known: Map<string, string>, changes: Readonly<Record<string, string | null>>): void {
  for (const [name, value] of Object.entries(changes))
    if (value === null) known.delete(name);
    else known.set(name, value);
}
