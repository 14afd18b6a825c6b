// A reading as its difference to the one sent before it: most polls change a few values of forty. Pure.
import * as t from 'io-ts';
import type { Variables } from '../domain/ups/reading.js';
import { Reading } from '../domain/ups/reading.js';
import { integerFrom, orNull, textUpTo } from '../domain/base/units.js';

const number = integerFrom(1, Number.MAX_SAFE_INTEGER);
/** Five thousand rows is also the bound of an answer of a server. */
const maxVariables = 5_000;

export const ReadingChange = t.type(
  {
    /** Grows by one with each reading of a worker. */
    number,
    /** The number of the reading before; null: this one is whole. */
    base: orNull(number),
    /** Null: as before. */
    reading: orNull(Reading),
    /** The changed variables; null for one that is gone. */
    variables: t.record(textUpTo(256), orNull(textUpTo(1024))),
  },
  'ReadingChange',
);
export type ReadingChange = t.TypeOf<typeof ReadingChange>;

/** A complete reading. An unchanged part is the same object as in the reading before. */
export interface NumberedReading {
  readonly number: number;
  readonly reading: Reading;
  readonly variables: Variables;
}

/** `before`: the reading that was sent last; null: the whole is sent. */
export function changeOf(before: NumberedReading | null, after: NumberedReading): ReadingChange {
  const { number, reading, variables } = after;
  if (before === null) return { number, base: null, reading, variables: { ...variables } };
  return {
    number,
    base: before.number,
    reading: sameReading(before.reading, reading) ? null : reading,
    variables: before.variables === variables ? {} : changedVariables(before.variables, variables),
  };
}

/** The reading after `change`; null for a change of another reading than `before`, or of too many variables. */
export function applyChange(before: NumberedReading | null, change: ReadingChange): NumberedReading | null {
  const { number, base, variables } = change;
  if (base !== (base === null ? null : before?.number)) return null;
  const known = base === null ? null : before;
  const reading = change.reading ?? known?.reading;
  if (reading === undefined) return null;
  const after = { number, reading, variables: withChanges(known?.variables ?? {}, variables) };
  return Object.keys(after.variables).length > maxVariables ? null : after;
}

function withChanges(before: Variables, changes: ReadingChange['variables']): Variables {
  const names = Object.keys(changes);
  if (names.length === 0) return before;
  const all: Readonly<Record<string, string | null>> = { ...before, ...changes };
  if (names.every((name) => changes[name] !== null)) return all as Variables;
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/** By name; null for a variable that is gone. */
export function changedVariables(before: Variables, after: Variables): ReadingChange['variables'] {
  const changes: Record<string, string | null> = {};
  for (const name of Object.keys(after)) {
    const value = after[name];
    if (value !== undefined && before[name] !== value) changes[name] = value;
  }
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) changes[name] = null;
  return changes;
}

function sameReading(a: Reading, b: Reading): boolean {
  if (a === b) return true;
  return (Object.keys(a) as (keyof Reading)[]).every((key) =>
    key === 'status' ? a.status.join(' ') === b.status.join(' ') : a[key] === b[key],
  );
}
