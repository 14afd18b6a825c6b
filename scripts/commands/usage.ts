// Shared by all commands: exit codes, standard options, and the reports of failure and of wrong usage.
import { printable } from './terminal/printable.js';

export type Command = (args: readonly string[]) => Promise<number>;

/** A list of options (`-f, --follow`, `--config FILE`) and operands, each with what it is. */
export type Items = readonly (readonly [term: string, text: string])[];

/** One way to call a command. */
export interface Usage {
  /** `create` of `ridethrough user create`. */
  readonly word?: string;
  readonly operands?: string;
  /** An operand is the name of a file. */
  readonly takesFile?: true;
  /**
   * The names of options without `--`, each of which may be given; `a|b`: one of them; `a+b`: together; `!a`: it must be given;
   * `a*`: several times; `a:X` and `a:x,y`: for a value X, or one of x and y, where its term has another word; a line break is
   * one for the help. Default: all that the lists have.
   */
  readonly options?: string;
}

/** A line break after the text is one for the help. */
export type ExitCodes = readonly (readonly [code: number, text: string])[];

/** A command, of which its help, its manual page and the completions of the shells are made. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Without it the one of all options and no operand. */
  readonly usages?: readonly Usage[];
  /** Paragraphs in lines as the help has them, and lists; one with a lead stands directly below it. */
  readonly text: readonly (string | Items | { readonly lead: string; readonly items: Items })[];
  /** Blanks between the longest term of its lists and the texts; default 4. */
  readonly gap?: number;
  readonly exitCodes: ExitCodes;
  /** Continues after its standard output is closed. */
  readonly ignoresBrokenPipe?: true;
  readonly load: () => Promise<Command>;
}

/** See specification/command-line.md#exit-codes. */
export const exitCode = { fine: 0, failed: 1, usage: 2, tryLater: 75, configuration: 78 } as const;

/** Of a command that needs the configuration and has none: an unread file may be valid a moment later. */
export const withoutConfiguration = ({ isUnread }: { readonly isUnread?: true }): number =>
  isUnread === true ? exitCode.tryLater : exitCode.configuration;

/** Of the help of a command that reads the configuration. */
export const exitCodes = (fine: string, failed: string): ExitCodes => [
  [0, fine],
  [1, failed],
  [2, 'wrong usage\n'],
  [75, 'nobody could read the configuration in time (try again)'],
  [78, 'it is invalid'],
];

export const defaultConfigPath = '/etc/ridethrough/config.toml';

type Item = Items[number];
export const config: Item = ['--config FILE', `the configuration; default ${defaultConfigPath}`];
export const runtimeConfig: Item = [
  '--config FILE',
  `the configuration that names the runtime directory; default ${defaultConfigPath}`,
];
export const socket: Item = ['--socket PATH', 'the control socket; the configuration is not read'];
export const json: Item = ['--json', 'for programs'];

/** For `parseArgs`: the options that most commands take (specification/command-line.md#options). */
export const configOption = { config: { type: 'string', default: defaultConfigPath } } as const;
export const jsonOption = { json: { type: 'boolean', default: false } } as const;
/** The options of a command with a request to the running daemon. */
export const daemonOptions = { ...configOption, ...jsonOption, socket: { type: 'string' } } as const;

/** The same, of a command whose answer is also a table and a page. */
export const formatOptions = {
  ...daemonOptions,
  csv: { type: 'boolean', default: false },
  html: { type: 'boolean', default: false },
} as const;

/** Prints to standard error, under the command's name. Returns the exit code. */
export function complain(command: string, message: string, code: number = exitCode.failed): number {
  process.stderr.write(printable(`ridethrough ${command}: ${message}\n`));
  return code;
}

/**
 * Wrong usage. The dispatcher prints the message with a pointer to the help and exits with 2. It treats the errors of
 * `parseArgs` of node:util alike, so a command checks only the rest.
 */
export class UsageError extends Error {}

/** The one of `formatOptions` that is given; undefined for text. */
export function formatOption(
  values: Readonly<Record<'json' | 'csv' | 'html', boolean>>,
): 'json' | 'csv' | 'html' | undefined {
  const [format, ...more] = (['json', 'csv', 'html'] as const).filter((name) => values[name]);
  if (more.length > 0) throw new UsageError('only one of --json, --csv and --html can be given');
  return format;
}

/** A whole number of a range; undefined when the option is not given. */
export function integerOption(
  name: string,
  text: string | undefined,
  [low, high]: readonly [number, number],
): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (number >= low && number <= high) return number;
  throw new UsageError(`--${name} expects a whole number from ${String(low)} to ${String(high)}`);
}
