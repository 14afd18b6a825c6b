// Selects the command from the arguments: help, hints, exit codes. Does not know the work of the commands.
import type { Entry } from './usage.js';
import { exitCode, noConfiguration, UsageError } from './usage.js';

export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Runs the command that `args` name and returns the exit code. Any error of a command except wrong usage is a bug and is thrown. */
export async function dispatch(
  args: readonly string[],
  catalogue: readonly Entry[],
  output: Output,
): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) {
    output.err(overview(catalogue));
    return exitCode.usage;
  }
  if (name === 'help' || isHelp(name)) return help(rest[0], catalogue, output);
  const wanted = name === '--version' ? 'version' : name;
  const entry = catalogue.find((candidate) => candidate.name === wanted);
  if (entry === undefined) return unknown(name, catalogue, output);
  if (asksForHelp(rest)) {
    output.out(ended(entry.help));
    return exitCode.fine;
  }
  const command = await entry.load();
  try {
    return await command(rest);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    const message = error instanceof UsageError ? `${error.message}.` : sentence(error.message);
    output.err(`ridethrough ${entry.name}: ${message}\nSee: ridethrough ${entry.name} --help\n`);
    return exitCode.usage;
  }
}

function overview(catalogue: readonly Entry[]): string {
  const width = Math.max(...catalogue.map(({ name }) => name.length));
  const list = catalogue.map(({ name, summary }) => `  ${name.padEnd(width)}   ${summary}\n`).join('');
  return `ridethrough monitors UPSes over NUT and shuts machines down in order before a battery is empty.

Usage: ridethrough COMMAND [OPTIONS]

${list}
  ridethrough COMMAND --help describes one command.

Commands that read the configuration take --config FILE (default /etc/ridethrough/config.toml);
commands that print data take --json.
Exit codes: 0 success, 1 failure, 2 wrong usage,
${noConfiguration}.
`;
}

async function help(topic: string | undefined, catalogue: readonly Entry[], output: Output): Promise<number> {
  const entry = catalogue.find(({ name }) => name === topic);
  if (topic !== undefined && entry === undefined) return unknown(topic, catalogue, output);
  output.out(entry === undefined ? overview(catalogue) : ended(entry.help));
  return exitCode.fine;
}

async function unknown(name: string, catalogue: readonly Entry[], output: Output): Promise<number> {
  // Imported here, because every import at the top delays every start.
  const { nearest } = await import('../../shared/domain/base/nearest-name.js');
  const names = catalogue.map((entry) => entry.name);
  const hint = nearest(name, names);
  const advice = hint === undefined ? `The commands are: ${names.join(', ')}.` : `Did you mean "${hint}"?`;
  const what = name.startsWith('-') ? 'the command comes before its options' : 'there is no such command';
  output.err(`ridethrough: ${JSON.stringify(name)}: ${what}. ${advice}\nSee: ridethrough help\n`);
  return exitCode.usage;
}

/** The text with exactly one line break at its end. */
function ended(text: string): string {
  return `${text.trimEnd()}\n`;
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some(isHelp);
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('ERR_PARSE_ARGS_')
  );
}

/** The first sentence of a message of parseArgs; the others explain options at length. */
function sentence(message: string): string {
  const first = message.split('. ')[0] ?? message;
  return first.endsWith('.') ? first : `${first}.`;
}
