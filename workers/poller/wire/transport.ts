// The interface to a NUT server, over the network protocol or through NUT's tools.
import type { Variables } from '../../../shared/domain/ups/reading.js';
import type { NamedCommand, WritableVariable } from '../../../shared/protocol/poller.js';
import type * as t from 'io-ts';
import type { NutAnswer } from './errors.js';

export type Command = t.TypeOf<typeof NamedCommand>;

/** Every call ends within its deadline, including the connection or the start of a program. Calls never throw. */
export interface NutTransport {
  readVariables(deadlineMs: number): Promise<NutAnswer<Variables>>;
  /** The instant commands that the UPS offers; empty where the server lists none. */
  listCommands(deadlineMs: number): Promise<NutAnswer<readonly Command[]>>;
  /** The writable variables among `names`, with their current values. */
  listWritable(names: readonly string[], deadlineMs: number): Promise<NutAnswer<readonly WritableVariable[]>>;
  /** Settles when the driver has done it, where the server tracks commands, else when the server has accepted it. */
  runCommand(command: string, value: string | null, deadlineMs: number): Promise<NutAnswer<string>>;
  writeVariable(variable: string, value: string, deadlineMs: number): Promise<NutAnswer<string>>;
  /** Closes the connection; the next call opens another. */
  disconnect(): void;
  /** Ends everything under way; later calls fail. */
  close(): void;
}

/** Bounds of a row, those of the link's codecs. A variable or command outside them is omitted, as a missing reading. */
const maxNameLength = 256;
const maxValueLength = 1024;
const tab = 0x09;

/** Variables by name, from rows of a name and a value. */
export function variablesOf(rows: readonly (readonly string[])[]): Variables {
  const isInRange = rows.filter(
    ([name = '', value = '']) =>
      name !== '' &&
      name !== '__proto__' &&
      name.length <= maxNameLength &&
      value.length <= maxValueLength &&
      isPrintable(name) &&
      isPrintable(value),
  );
  return Object.fromEntries(isInRange.map(([name = '', value = '']) => [name, value]));
}

/** Rows of an answer with their variables. */
export interface ReadRows {
  readonly rows: readonly (readonly string[])[];
  readonly variables: Variables;
}

/** The variables of `rows`. Rows that are those of the answer before are not looked at again. */
export function variablesAfter({ rows: before, variables }: ReadRows, rows: ReadRows['rows']): Variables {
  const different = rows.filter((row, place) => row !== before[place]);
  const isInPlace =
    rows.length === before.length &&
    Object.keys(variables).length === rows.length &&
    different.every(([name = '']) => Object.hasOwn(variables, name)) &&
    rows.every(([name], place) => name === before[place]?.[0]);
  const changes = isInPlace ? variablesOf(different) : {};
  if (!isInPlace || Object.keys(changes).length < different.length) return variablesOf(rows);
  return different.length === 0 ? variables : { ...variables, ...changes };
}

/** The link encodes a control character in six bytes: a megabyte of them would break the link of all UPSes of the process. */
function isPrintable(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 && unit !== tab) return false;
  }
  return true;
}

/** Commands with a name that the link can carry. */
export function nameable(commands: readonly Command[]): readonly Command[] {
  return commands.filter(({ name }) => name.length <= maxNameLength);
}

/** A description or value, cut to the bound of the link. */
export function boundText(text: string): string {
  return text.slice(0, maxValueLength);
}
