// What shutdown(8) does with a command line: options, then a time, then the message to logged-in users. Without a time it waits
// a minute, and takes the first word of a message for one and fails. Pure.
import { finalProgram, programName, simpleCommands } from './command-words.js';
import { shellWord } from './shell-words.js';
import { withSudo } from './with-sudo.js';

/** Of systemd and sysvinit. */
const timeForm = /^(?:now|\+?\d+|\d{1,2}:\d{2})$/;
/** The one option with a value of its own: the seconds between two signals. */
const valueOption = 't';
/** Of systemd and OpenRC. `?` stands for one that only prints something. */
const longOptions: Readonly<Record<string, string>> = {
  ...{ '--halt': 'H', '--poweroff': 'P', '--reboot': 'r', '--kexec': 'K', '--no-wall': '' },
  ...{ '--help': '?', '--version': '?', '--show': '?', '--dry-run': '?' },
  ...{ '--cancel': 'c', '--single': 's', '--reexec': 'R', '--write-only': 'w', '--no-write': 'd' },
};
/** Its letter, or none; a long option may be abbreviated. */
export const letterOf = (word: string): readonly string[] => [
  ...(Object.entries(longOptions).find(([name]) => word.length > 3 && name.startsWith(word))?.[1] ?? ''),
];

/** Programs that take options, a time and a message as shutdown does. OpenRC's refuses to run without a time. */
const programs: ReadonlySet<string> = new Set(['shutdown', 'openrc-shutdown', 's6-linux-init-shutdown']);

interface Arguments {
  readonly program: string;
  readonly letters: readonly string[];
  /** Index of the first operand, which shutdown takes for the time; where it belongs if there is none. */
  readonly timeAt: number;
  readonly hasTime: boolean;
}

/** Null where another program runs. */
export function argumentsOf(command: readonly string[]): Arguments | null {
  const bare = finalProgram(command);
  const program = programName(bare[0] ?? '');
  if (!programs.has(program) || (program === 'shutdown' && isForeign(bare))) return null;
  const letters: string[] = [];
  for (let at = command.length - bare.length + 1; at < command.length; at += 1) {
    const word = command[at] ?? '';
    const isEnd = word === '--';
    if (isEnd || !/^-./.test(word)) {
      const timeAt = isEnd ? at + 1 : at;
      const after = command.slice(at + 1);
      const end = after.indexOf('--');
      const rest = (isEnd ? [] : after.slice(0, end === -1 ? undefined : end)).filter((later) =>
        /^--?[A-Za-z][a-z-]*$/i.test(later),
      );
      letters.push(
        ...rest.flatMap((later) => (later.startsWith('--') ? letterOf(later) : [...later.slice(1)])),
      );
      return { program, letters, timeAt, hasTime: timeForm.test(command[timeAt] ?? '') };
    }
    const cluster = word.startsWith('--') ? letterOf(word) : [...word.slice(1)];
    const valueIndex = cluster.indexOf(valueOption);
    letters.push(...(valueIndex === -1 ? cluster : cluster.slice(0, valueIndex)));
    if (valueIndex !== -1 && valueIndex === cluster.length - 1) at += 1;
  }
  return { program, letters, timeAt: command.length, hasTime: false };
}

/** `shutdown /s /t 0`, or the same with hyphens: no other one has -s. */
export function isOfWindows([program = '', ...words]: readonly string[]): boolean {
  return /\.exe$/i.test(program) || words.some((word) => /^(?:\/[a-z]+|-s)$/i.test(word));
}

/** Its options differ: that of Windows, of illumos (`-y -i5 -g0`), and the command of RouterOS. */
function isForeign(bare: readonly string[]): boolean {
  const [program = '', ...words] = bare;
  return (
    isOfWindows(bare) ||
    program === '/system/shutdown' ||
    words.some((word) => /^-(?:y|g\d*|i[0-6s])$/i.test(word))
  );
}

/** Where shutdown expects a time and none is given; null otherwise. */
function missingTimeAt(command: readonly string[]): number | null {
  const given = argumentsOf(command);
  if (given === null || given.hasTime) return null;
  // The operands of a cancellation are a message; with some options nothing is planned.
  const timeless = given.program === 'openrc-shutdown' ? /[c?Rwh]/ : /[c?]/;
  return timeless.test(given.letters.join('')) ? null : given.timeAt;
}

const takesText = /^(?:\w*sh|fish|su|runuser|cmd|pwsh|powershell)$/;

/** A word more is one for shutdown: it is not in a text of its own, as after `sh -c` or in `env -S`. */
function isDirect(command: readonly string[]): boolean {
  const bare = finalProgram(command);
  const before = command.slice(0, command.length - bare.length);
  if (before.some((word) => programName(word) === 'ssh')) return false;
  const shell = before.findIndex((word) => takesText.test(programName(word)));
  const hasText =
    shell !== -1 && before.slice(shell).some((word) => /^(?:-\w*c|--?command|\/c)$/i.test(word));
  return !hasText && command[before.length] === bare[0];
}

/** The command with `now` where shutdown expects a time and none is given. */
export function withTime(command: readonly string[]): readonly string[] {
  const at = missingTimeAt(command);
  return at === null || !isDirect(command) ? command : command.toSpliced(at, 0, 'now');
}

const fileOf = ([path = '']: readonly string[]): string => path.slice(path.lastIndexOf('/') + 1);

/** The command with a time where shutdown needs one, and with the message, which only a program named `shutdown` gets. */
export function poweroffCommand(command: readonly string[], message: string): readonly string[] {
  const timed = withTime(command);
  // shutdown takes a word with a hyphen for an option, also after the time.
  const text = message.startsWith('-') ? ` ${message}` : message;
  return fileOf(command) === 'shutdown' && message !== '' ? [...timed, text] : timed;
}

/** Programs that run a command as root; the host may allow the login nothing else. */
const becomingRoot: ReadonlySet<string> = new Set(['sudo', 'doas', 'run0', 'pkexec', 'su']);

/** The same as a line for the shell of `user`: another than root powers a host off through sudo. */
export function poweroffLine(command: readonly string[], message: string, user: string): string {
  const becomesRoot = becomingRoot.has(fileOf(command));
  const line = poweroffCommand(command, message).map(shellWord).join(' ');
  return withSudo(line, user !== 'root' && !becomesRoot);
}

/** `withTime` for a line of a shell; one with quotes or other characters of a shell stays as it is. */
export function lineWithTime(line: string): string {
  if (!/^[\w@%+=:,./ -]+$/.test(line)) return line;
  const words = line.split(/ +/).filter((word) => word !== '');
  const timed = withTime(words);
  return timed === words ? line : timed.join(' ');
}

/** A command of the line has no time that it needs; one from a variable is a time. Its quoted text counts, as `sh -c` runs it. */
export function lacksTime(line: string): boolean {
  return simpleCommands(line).some(
    (words) => missingTimeAt(words) !== null && !words.some((word) => word.includes('$')),
  );
}

/** When `shutdown` with these words acts. `unknownAt`: a word with a NUL stands where an option or the time belongs. */
export function timeOfShutdown(command: readonly string[]): {
  readonly letters: readonly string[];
  /** Null for a time of day, and for a word that is no time. */
  readonly seconds: number | null;
  readonly unknownAt: boolean;
} {
  const given = argumentsOf(command);
  if (given === null) return { letters: [], seconds: null, unknownAt: true };
  const { letters, timeAt } = given;
  const unknownAt = command.slice(0, timeAt + 1).some((word) => word.includes('\0'));
  const time = command[timeAt];
  const minutes = /^\+?(\d{1,6})$/.exec(time ?? '')?.[1];
  // systemd waits a minute where no time is given.
  const seconds =
    time === undefined ? 60 : time === 'now' ? 0 : minutes === undefined ? null : Number(minutes) * 60;
  return { letters, seconds, unknownAt };
}
