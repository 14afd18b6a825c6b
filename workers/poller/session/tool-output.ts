// Parses the output of upsc, upscmd and upsrw (LC_ALL=C, NUT 2.7 to 2.8). Pure; runs nothing.
import type { WritableVariable } from '../../../shared/protocol/poller.js';
import type { NutFailure } from '../wire/errors.js';
import { failureOf, refusalOf } from '../wire/errors.js';
import type { Command } from '../wire/transport.js';
import { boundText } from '../wire/transport.js';
import { textOf } from '../wire/wire.js';

/** The messages of libupsclient for the codes of the server (upscli_strerror). */
const codeOfText: readonly (readonly [string, string])[] = [
  ['Unknown UPS', 'UNKNOWN-UPS'],
  ['Access denied', 'ACCESS-DENIED'],
  ['Password required', 'PASSWORD-REQUIRED'],
  ['Username required', 'USERNAME-REQUIRED'],
  ['Data stale', 'DATA-STALE'],
  ['Driver not connected', 'DRIVER-NOT-CONNECTED'],
  ['Variable not supported by UPS', 'VAR-NOT-SUPPORTED'],
  ['Instant command not supported', 'CMD-NOT-SUPPORTED'],
  ['Instant command failed', 'INSTCMD-FAILED'],
  ['Set command failed', 'SET-FAILED'],
  ['New value is too long', 'TOO-LONG'],
  ['Unknown command', 'UNKNOWN-COMMAND'],
];

/** Its messages for errors without a code of the server. */
const detailOfText = [
  ['timed out', 'TIMEOUT'],
  ['timeout', 'TIMEOUT'],
  ['SSL', 'TLS_FAILED'],
  ['Connection failure', 'SERVER_DOWN'],
  ['No such host', 'SERVER_DOWN'],
  ['Server disconnected', 'SERVER_DOWN'],
  ['Send failure', 'SERVER_DOWN'],
  ['Receive failure', 'SERVER_DOWN'],
  ['Write error', 'SERVER_DOWN'],
  ['Read error', 'SERVER_DOWN'],
  ['socket failure', 'SERVER_DOWN'],
] as const;

/** Output without a meaning: it also comes with success. Prompts have no line end. */
const chatter = /^Init SSL without certificate database$|^(?:Password|Username[^:]{0,80}): /;

/** The output of a tool, verbatim. */
export interface Printed {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** True when the server or the program cannot track a change; nothing was sent to the UPS. */
export function refusesTracking(run: Printed): boolean {
  const text = `${textOf(run.stderr)}\n${textOf(run.stdout)}`;
  return /Enabling [a-z ]{1,30} status tracking failed/.test(text) || knowsNoTracking(text.split('\n'));
}

/** The message of getopt (glibc, musl, uClibc and the BSDs) for an unknown option. */
const unknownOption = /(?:upscmd|upsrw): (?:invalid|illegal|unrecognized|unknown) option(?: --|:) '?[wt]'?$/;

/**
 * A program before NUT 2.8, without -w and -t, prints its usage and ends before it connects. Both lines are required: the
 * answer of a server, which a program may print verbatim, is one line and cannot be both.
 */
function knowsNoTracking(lines: readonly string[]): boolean {
  return lines.some((line) => unknownOption.test(line)) && lines.some((line) => line.startsWith('usage: '));
}

/** The failure that a tool printed. */
export function toolFailure(run: Printed): { ok: false; failure: NutFailure } {
  const text = outputText(run);
  const code = / ERR ([A-Z-]{1,40})/.exec(` ${text}`)?.[1];
  if (code !== undefined) return refusalOf(code, `ERR ${code}`);
  const known = codeOfText.find(([words]) => text.includes(words));
  if (known !== undefined) return refusalOf(known[1], text);
  const detail = detailOfText.find(([words]) => text.includes(words))?.[1];
  return failureOf(detail ?? 'PROTOCOL_ERROR', text === '' ? 'the program failed without a message' : text);
}

/** Both outputs of a tool (upsrw prints success on standard error) without meaningless lines, on one line. */
export function outputText(run: Printed): string {
  return `${textOf(run.stderr)}\n${textOf(run.stdout)}`
    .split('\n')
    .map((line) => line.replace(chatter, '').trim())
    .filter((line) => line !== '')
    .join('; ');
}

/** `name: value` per line, as upsc prints all variables. */
export function variableRows(stdout: Buffer): readonly (readonly string[])[] {
  const rows: string[][] = [];
  for (const line of linesOf(stdout)) {
    const colon = line.indexOf(': ');
    if (colon > 0) rows.push([line.slice(0, colon), line.slice(colon + 2)]);
  }
  return rows;
}

/** `name - description` per line after a heading, as `upscmd -l` prints. */
export function commandsOf(stdout: Buffer): readonly Command[] {
  const commands: Command[] = [];
  for (const line of linesOf(stdout)) {
    const match = /^([A-Za-z0-9][A-Za-z0-9._-]*) - (.*)$/.exec(line);
    if (match !== null) commands.push({ name: match[1] ?? '', description: boundText(match[2] ?? '') });
  }
  return commands;
}

type Unvalued = Omit<WritableVariable, 'value'>;

/** Blocks as `upsrw -l` prints them: `[name]`, a description, Type, Maximum length, Option or Value. Values come from upsc. */
export function writableOf(stdout: Buffer): readonly Unvalued[] {
  const found: { name: string; lines: string[] }[] = [];
  for (const line of linesOf(stdout)) {
    const name = /^\[([^\]]{1,256})\]$/.exec(line)?.[1];
    if (name !== undefined) found.push({ name, lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found.map(({ name, lines }) => blockOf(name, lines));
}

function blockOf(name: string, lines: readonly string[]): Unvalued {
  const after = (label: string): string | undefined =>
    lines.find((line) => line.startsWith(label))?.slice(label.length);
  const length = after('Maximum length: ');
  // As TYPE of the protocol: upsrw prints STRING:32 as two lines.
  const type = (after('Type: ') ?? '').replace(
    /STRING$/,
    length === undefined ? 'STRING' : `STRING:${length}`,
  );
  const options = lines.map((line) => /^Option: "(.*)"(?: SELECTED)?$/.exec(line)?.[1]);
  const offered = options.filter((option) => option !== undefined);
  const block = { name, type: type.slice(0, 64) };
  if (type.includes('ENUM')) return { ...block, enum: offered.map(boundText) };
  if (!type.includes('RANGE')) return block;
  const range = offered.flatMap((option) => {
    const match = /^(-?\d{1,12})-(-?\d{1,12})$/.exec(option);
    return match === null ? [] : [{ min: Number(match[1]), max: Number(match[2]) }];
  });
  return { ...block, range };
}

function linesOf(stdout: Buffer): string[] {
  const lines: string[] = [];
  for (let from = 0; from < stdout.length;) {
    const at = stdout.indexOf(0x0a, from);
    const to = at === -1 ? stdout.length : at;
    lines.push(textOf(stdout.subarray(from, to)));
    from = to + 1;
  }
  return lines;
}
