// A command of this machine.
import * as t from 'io-ts';

/** A program with its arguments; never text for a shell. */
export const CommandLine = t.readonlyArray(t.string, 'CommandLine');
export type CommandLine = t.TypeOf<typeof CommandLine>;
