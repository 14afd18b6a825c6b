// Checks that a health probe runs one harmless command (specification/remote-servers.md#what-a-probe-runs). Called when
// the configuration is loaded and again by the worker that runs the probe, so that no other text is ever sent. Pure.
import { bareCommand, finalProgram, programName, simpleCommands } from '../commands/command-words.js';
import { isOfHarmlessProgram, isOwnScript } from '../commands/harmless-programs.js';
import { serverActions } from './on-servers.js';

/** Words that no harmless probe contains, with any program. */
const shutdownWords = new Set([
  'shutdown',
  'poweroff',
  'reboot',
  'halt',
  'kexec',
  'init',
  'telinit',
  // The PowerShell cmdlet.
  'stop-computer',
  'restart-computer',
]);

/** Two words after an unknown program, also with words between them. */
const stoppingPairs = [
  ...['stop', 'isolate', 'suspend', 'hibernate'].map((verb) => ['systemctl', verb] as const),
  ...['docker', 'podman', 'qm', 'pct'].map((tool) => [tool, 'stop'] as const),
  ['virsh', 'destroy'] as const,
];

/** The commands by which the predefined actions of a server and of this machine stop something. */
const actionCommands = Object.values(serverActions).flatMap(({ stops }) => stops);

/** Commands without effect: a server that needs no shutdown command may have one of these. */
const idleCommands = new Set(['true', ':', 'echo']);
/** Parts of a longer command that do not count. */
const idleParts = new Set([
  ...idleCommands,
  'test',
  '[',
  'cd',
  'sleep',
  'printf',
  'exit',
  'set',
  'export',
  'for',
  'case',
  ...['hostname', 'uptime', 'id', 'uname', 'date', 'whoami', 'ls', 'cat'],
]);

const maxLength = 1024;

/** No shell metacharacter, no line break, no word that stops something. Words match as full words: `shutdown-history` passes. */
export function isPlainProbe(text: string): boolean {
  if (text.trim() === '' || text.length > maxLength || !/^[A-Za-z0-9 _./:=@%+,-]+$/.test(text)) return false;
  const words = text.toLowerCase().split(/[^a-z0-9_-]+/);
  return (
    !words.some((word) => shutdownWords.has(word)) &&
    !stoppingPairs.some(([program, verb]) => words.includes(program) && words.includes(verb))
  );
}

/** A verb in one of the first words of a command that is not known to look only: `vm.stop` and `Stop-Service` are ones too. */
const order =
  /^(?:.*\.)?(?:stop|restart|reset|kill|killall|pkill|taskkill|destroy|terminate|suspend|delete|remove|rm|purge|prune|down|off|disable|shutdown|powerdown)(?:-[a-z]+)?$/i;
const wordsOfOrder = 3;
/** Commands of a UPS, wherever they stand. */
const ofOutput = /^(?:load\.off|shutdown\.)/i;

/** What a plain probe does that a probe may not do, after "it"; null when nothing is known. */
export function probeFault(text: string): string | null {
  const words = wordsOf(text);
  // PowerShell accepts any abbreviation of the option.
  if (
    words.some((word) => /^(?:powershell|pwsh)$/.test(programName(word))) &&
    words.some((word) => /^-e(?:c|n\w*)?$/i.test(word))
  )
    return 'runs text that cannot be checked here';
  const action = actionCommands.find((command) => runsCommand(text, command));
  if (action !== undefined) return `runs "${action}", as a shutdown does`;
  const bare = bareCommand(words);
  if (isOfHarmlessProgram(bare)) return null;
  // Behind a program that runs another on another machine or as another user, an order is one too.
  return orderIn(bare) ?? orderIn(finalProgram(words));
}

function orderIn([program = '', ...args]: readonly string[]): string | null {
  const name = programName(program);
  if (order.test(name)) return `begins with "${name}"`;
  const first = args.filter((word) => !word.startsWith('-')).slice(0, wordsOfOrder);
  const verb = first.find((word) => order.test(word)) ?? args.find((word) => ofOutput.test(word));
  return verb === undefined ? null : `tells ${name} to "${verb}"`;
}

/** It only looks, or runs a script that the operator has written for it. */
export function isKnownHarmless(text: string): boolean {
  const bare = bareCommand(wordsOf(text));
  return isOfHarmlessProgram(bare) || isOwnScript(normalPath(bare[0] ?? ''));
}

export function isHarmlessProbe(text: string): boolean {
  return isPlainProbe(text) && probeFault(text) === null;
}

/**
 * True when `probe` equals or contains `command`, any shell text. Compares words, without wrappers that only start another
 * program, without the paths of programs, without case. Ignores options between the words.
 */
export function runsCommand(probe: string, command: string): boolean {
  const parts = simpleCommands(command).map(bareCommand);
  const words = wordsOf(probe);
  return parts.some((part) => {
    const [program = ''] = part;
    const name = programName(program);
    if (part.length === 1 && idleCommands.has(name)) return false;
    if (parts.length > 1 && (idleParts.has(name) || isOfHarmlessProgram(part))) return false;
    // The words as written, and without wrappers: `env -Sprogram` has the program in an option.
    return contains(words, part) || contains(bareCommand(words), part);
  });
}

function contains(words: readonly string[], [program = '', ...rest]: readonly string[]): boolean {
  const name = programName(program);
  if (name === '') return false;
  return words.some(
    (word, start) => programName(word) === name && follows(words.slice(start + 1), rest.map(normalPath)),
  );
}

function follows(words: readonly string[], wanted: readonly string[]): boolean {
  let next = 0;
  for (const word of words) {
    if (next === wanted.length) break;
    if (normalPath(word) === wanted[next]) next += 1;
    else if (!word.startsWith('-')) return false;
  }
  return next === wanted.length;
}

/** A path in its normal form: lower case, without doubled and final slashes, `.` and `..` resolved. */
function normalPath(word: string): string {
  const text = word.toLowerCase();
  if (!text.includes('/')) return text;
  const kept: string[] = [];
  for (const part of text.split('/')) {
    if (part === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  return `${text.startsWith('/') ? '/' : ''}${kept.join('/')}`;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
