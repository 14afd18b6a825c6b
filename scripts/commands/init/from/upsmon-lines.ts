// The lines of upsmon.conf and upssched.conf, which have one form.
import { nutWords } from '../../../../supervisor/config/read/upsmon.js';
import { programName, simpleCommands } from '../../../../shared/domain/commands/command-words.js';
import type { Runner } from './judged-script.js';
import { linesOf, shellCommand } from './source.js';

export interface UpsmonLine {
  readonly number: number;
  readonly key: string;
  /** The words after the key. */
  readonly words: readonly string[];
}

export const upsmonLines = (text: string): readonly UpsmonLine[] =>
  linesOf(text).flatMap(({ number, text: line }) => {
    const [key, ...words] = nutWords(line);
    return key === undefined ? [] : [{ number, key, words }];
  });

/** The last line of a key counts. */
export const lastOf = (lines: readonly UpsmonLine[], key: string): string | undefined =>
  lines.findLast((line) => line.key === key)?.words[0];

/** As upsmon reads a number: the digits that the text begins with. Null without any. */
export function leadingNumber(text: string): number | null {
  const digits = /^[+-]?\d{1,9}/.exec(text)?.[0];
  return digits === undefined ? null : Number(digits);
}

/** What upsmon exports. */
export const notified = (type: string | null, ups: string | null): ReadonlyMap<string, string | null> =>
  new Map([
    ['NOTIFYTYPE', type],
    ['UPSNAME', ups],
  ]);

export function upsmonAsRunner(lines: readonly UpsmonLine[]): Runner {
  const shutdown = lastOf(lines, 'SHUTDOWNCMD') ?? '';
  return {
    name: 'upsmon',
    user: lastOf(lines, 'RUN_AS_USER'),
    // The same words in a script do not shut down either.
    shutdownCommand: shutdown === '' || isIdleLine(shutdown) ? [] : shellCommand(shutdown),
  };
}

/** A SHUTDOWNCMD that only tells, or does nothing: this machine stays on, unless a script of its own shuts it down. */
export const isIdleLine = (line: string): boolean =>
  !/[<>`$&|]/.test(line) &&
  simpleCommands(line).every(([program = '']) =>
    /^(?:true|false|:|exit|echo|printf|logger|wall)$/.test(programName(program)),
  );
