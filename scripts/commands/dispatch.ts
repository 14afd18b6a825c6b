// Selects the command from the arguments: help, hints, exit codes. Does not know the work of the commands.
import type { CommandEntry } from './usage.js';
import { exitCode, UsageError } from './usage.js';

export interface CommandOutput {
  out(text: string): void;
  err(text: string): void;
}

/** Imported when it is needed, because every import at the top delays every start. */
const helpTexts = () => import('./help.js');

/** Runs the command that `args` name and returns the exit code. Any error of a command except wrong usage is a bug and is thrown. */
export async function dispatch(
  args: readonly string[],
  catalogue: readonly CommandEntry[],
  output: CommandOutput,
): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) {
    output.err((await helpTexts()).overview(catalogue));
    return exitCode.usage;
  }
  if (name === 'help' || isHelp(name)) return help(rest[0], catalogue, output);
  const wanted = name === '--version' ? 'version' : name;
  const entry = catalogue.find((candidate) => candidate.name === wanted);
  if (entry === undefined) return rejectUnknown(name, catalogue, output);
  if (asksForHelp(rest)) {
    output.out((await helpTexts()).helpOf(entry));
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

async function help(
  topic: string | undefined,
  catalogue: readonly CommandEntry[],
  output: CommandOutput,
): Promise<number> {
  const entry = catalogue.find(({ name }) => name === topic);
  if (topic !== undefined && entry === undefined) return rejectUnknown(topic, catalogue, output);
  const { helpOf, overview } = await helpTexts();
  output.out(entry === undefined ? overview(catalogue) : helpOf(entry));
  return exitCode.fine;
}

async function rejectUnknown(
  name: string,
  catalogue: readonly CommandEntry[],
  output: CommandOutput,
): Promise<number> {
  const { nearest } = await import('../../shared/domain/base/nearest-name.js');
  const names = catalogue.map((entry) => entry.name);
  const hint = nearest(name, names);
  const advice = hint === undefined ? `The commands are: ${names.join(', ')}.` : `Did you mean "${hint}"?`;
  const what = name.startsWith('-') ? 'the command comes before its options' : 'there is no such command';
  output.err(`ridethrough: ${JSON.stringify(name)}: ${what}. ${advice}\nSee: ridethrough help\n`);
  return exitCode.usage;
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
