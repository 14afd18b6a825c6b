// What shutdown(8) does with a command line: options, then a time, then the message to logged-in users. Without a time it waits
// a minute, and takes the first word of a message for one and fails. Pure.
import { finalProgram, programName, simpleCommands } from './command-words.js';
import { shellWord } from './shell-words.js';
import { withSudo } from './with-sudo.js';

/** Of systemd and sysvinit. */
const timeForm = /^(?:now|\+?\d+|\d{1,2}:\d{2})$/;
/** The one option with a value of its own: the seconds between two signals. */
const valueOption = 't';
const longOptions: Readonly<Record<string, string>> = { '--halt': 'H', '--poweroff': 'P', '--reboot': 'r' };

interface Arguments {
  readonly letters: readonly string[];
  /** Index of the first operand, which shutdown takes for the time; where it belongs if there is none. */
  readonly timeAt: number;
  readonly hasTime: boolean;
}

/** Null where another program runs. */
function argumentsOf(command: readonly string[]): Arguments | null {
  const bare = finalProgram(command);
  const program = command.length - bare.length;
  if (programName(bare[0] ?? '') !== 'shutdown' || isOfWindows(bare)) return null;
  const letters: string[] = [];
  for (let at = program + 1; at < command.length; at += 1) {
    const word = command[at] ?? '';
    const isEnd = word === '--';
    if (isEnd || !/^-./.test(word)) {
      const timeAt = isEnd ? at + 1 : at;
      const rest = isEnd ? [] : command.slice(at + 1).filter((later) => /^-[A-Za-z]+$/.test(later));
      letters.push(...rest.flatMap((later) => [...later.slice(1)]));
      return { letters, timeAt, hasTime: timeForm.test(command[timeAt] ?? '') };
    }
    const cluster = word.startsWith('--') ? [longOptions[word] ?? ''] : [...word.slice(1)];
    const valueIndex = cluster.indexOf(valueOption);
    letters.push(...(valueIndex === -1 ? cluster : cluster.slice(0, valueIndex)));
    if (valueIndex !== -1 && valueIndex === cluster.length - 1) at += 1;
  }
  return { letters, timeAt: command.length, hasTime: false };
}

/** `shutdown /s /t 0`, or the same with hyphens: no other one has -s. */
function isOfWindows([program = '', ...words]: readonly string[]): boolean {
  return /\.exe$/i.test(program) || words.some((word) => /^(?:\/[a-z]+|-s)$/i.test(word));
}

/** Where shutdown expects a time and none is given; null otherwise. */
function missingTimeAt(command: readonly string[]): number | null {
  const given = argumentsOf(command);
  // The operands of a cancellation are a message.
  return given === null || given.hasTime || given.letters.includes('c') ? null : given.timeAt;
}

const takesText = /^(?:\w*sh|fish|su|runuser|cmd|pwsh|powershell)$/;

/** A word more is one for shutdown: it is not in a text of its own, as after `sh -c` or in `env -S`. */
function isDirect(command: readonly string[]): boolean {
  const bare = finalProgram(command);
  const before = command.slice(0, command.length - bare.length);
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
  return fileOf(command) === 'shutdown' && message !== '' ? [...timed, message] : timed;
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

/** What a line of a shell does in place of a power-off; null where one of its commands powers off, or does nothing known. */
export function lineInsteadOfPowerOff(line: string): string | null {
  const commands = simpleCommands(line);
  if (poweringOff(commands).length > 0) return null;
  const active = commands.filter((words) => !isIdle(words));
  // What echo writes may power off where it goes: `echo o > /proc/sysrq-trigger`.
  const counted = active.length === 0 && !line.includes('>') ? commands : active;
  return counted.map(insteadOfPowerOff).find((effect) => effect !== null) ?? null;
}

const poweringOff = (commands: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  commands.filter((words) => insteadOfPowerOff(words) === null && isOfPower(finalProgram(words)));

/** What follows where each power-off among these commands is only planned for later; null otherwise. */
export function powersOffLater(commands: readonly (readonly string[])[]): string | null {
  const delays = poweringOff(commands).map(delayOf);
  const [delay = null] = delays;
  if (delay === null || delays.includes(null)) return null;
  const { until, instead } = delay;
  return `ends at once with exit code 0, which counts as a power-off, and the machine stays up on battery ${until}; ${instead}`;
}

/** Null for a power-off at once. */
function delayOf(command: readonly string[]): { readonly until: string; readonly instead: string } | null {
  // Of systemctl and systemd-run.
  const [, option, when = ''] = / (--(?:when|on-[a-z-]+))[= ](\S+)/.exec(command.join(' ')) ?? [];
  if (option !== undefined && !/^(?:now|\+?0)$/.test(when))
    return { until: `until the time of ${option}`, instead: `leave ${option} out` };
  const given = argumentsOf(command);
  const time = given?.hasTime === true ? (command[given.timeAt] ?? '') : 'now';
  if (/^(?:now|\+?0+)$/.test(time)) return null;
  const until = time.includes(':') ? `until ${time}` : `for ${time.replace('+', '')} min`;
  return { until, instead: `write now in place of ${time}` };
}

const isOfPower = ([program = '', ...words]: readonly string[]): boolean =>
  /^(?:shutdown|poweroff|halt|reboot|(?:tel)?init 0|(?:system|login)ctl .*poweroff)\b/.test(
    [programName(program), ...words].join(' '),
  );

/** What it does in place of a power-off; null where it powers off, or where another program runs. */
export function insteadOfPowerOff(command: readonly string[]): string | null {
  const [program = '', ...words] = finalProgram(command);
  const name = programName(program);
  if (isIdle(command)) return doesNot(name);
  if (/^(?:poweroff|halt|reboot)$/.test(name)) return insteadOfHalt(name, words);
  if (/^(?:system|login)ctl$/.test(name)) return insteadOfUnit(name, words);
  const level = /^(?:tel)?init$/.test(name) ? (words.at(-1) ?? '') : '';
  if (level === '6') return restarts(`${name} 6`);
  if (/^[1-5a-csqu]$/i.test(level)) return doesNot(`${name} ${level}`);
  const letters = argumentsOf(command)?.letters ?? [];
  if (letters.includes('c')) return 'with -c shutdown cancels a shutdown and powers nothing off';
  if (letters.includes('k')) return 'with -k shutdown only writes its message and powers nothing off';
  // The last of them counts, but -h leaves -H as it is.
  const action = letters.reduce(
    (one, letter) => (!'rPhH'.includes(letter) || (letter === 'h' && one === 'H') ? one : letter),
    'P',
  );
  if (action === 'H') return halts('with -H shutdown');
  return action === 'r' ? restarts('with -r shutdown') : null;
}

function isIdle(command: readonly string[]): boolean {
  const [program = ''] = finalProgram(command);
  return /^(?:true|echo|:)$/.test(programName(program));
}

/** Of systemd and sysvinit. */
function insteadOfHalt(name: string, words: readonly string[]): string | null {
  const letters = words.flatMap((word) =>
    /^-\w+$/.test(word) ? [...word.slice(1)] : [word === '--wtmp-only' ? 'w' : (longOptions[word] ?? '')],
  );
  if (letters.includes('w')) return `with -w ${name} only writes a record and powers nothing off`;
  const action = letters.findLast((letter) => 'HPpr'.split('').includes(letter));
  if (action === 'H') return halts(`with --halt ${name}`);
  if (name === 'reboot') return restarts(action === undefined ? name : `with systemd ${name} -p`);
  if (action === 'r') return restarts(`with --reboot ${name}`);
  return name === 'halt' && action === undefined ? halts('halt without -p') : null;
}

/** Of systemctl: its verb, or the unit that it starts. */
function insteadOfUnit(name: string, words: readonly string[]): string | null {
  const verb = words
    .map((word) => word.replace(/\.target$/, ''))
    .find((word) =>
      /^(?:poweroff|halt|(?:soft-)?reboot|kexec|suspend(?:-then-hibernate)?|hibernate|hybrid-sleep|sleep|rescue|emergency)$/.test(
        word,
      ),
    );
  if (verb === 'halt') return halts(`${name} halt`);
  if (verb?.endsWith('reboot') === true || verb === 'kexec') return restarts(`${name} ${verb}`);
  if (/--when[= ](?:cancel|show)\b/.test(words.join(' ')))
    return doesNot(`${name} with --when=cancel or show`);
  return verb === undefined || verb === 'poweroff' ? null : doesNot(`${name} ${verb}`);
}

const doesNot = (what: string): string => `${what} does not power the machine off`;
const restarts = (what: string): string => `${what} restarts the machine and does not power it off`;
const halts = (what: string): string => `${what} halts the machine and does not power it off`;

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
