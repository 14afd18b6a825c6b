// Checks that a health probe runs one harmless command (specification/remote-servers.md#what-a-probe-runs). Called when
// the configuration is loaded and again by the worker that runs the probe, so that no other text is ever sent. Pure.
import { changesSomething, isKnownToLook, orderTo } from './changes-state.js';
import { bareCommand, programName, simpleCommands } from './command-words.js';

/** Words that have no place in a harmless probe, whichever program they are given to. */
const shutdownWords = new Set([
  'shutdown',
  'poweroff',
  'reboot',
  'halt',
  'kexec',
  'init',
  'telinit',
  // As PowerShell calls it.
  'stop-computer',
  'restart-computer',
]);

/** Also where both stand apart, behind an unknown program. */
const stoppingPairs = [
  ...['stop', 'isolate', 'suspend', 'hibernate'].map((verb) => ['systemctl', verb] as const),
  ...['docker', 'podman', 'qm', 'pct'].map((tool) => [tool, 'stop'] as const),
  ['virsh', 'destroy'] as const,
];

/** The commands with which the predefined actions of a server and of this machine stop something. */
const actionCommands = [
  ...['docker', 'podman', 'docker compose', 'podman compose', 'docker-compose', 'podman-compose'].flatMap(
    (tool) => [`${tool} stop`, `${tool} kill`],
  ),
  ...[
    'virsh shutdown',
    'virsh destroy',
    'qm shutdown',
    'qm stop',
    'pct shutdown',
    'pct stop',
    'xe vm-shutdown',
  ],
  ...['vim-cmd vmsvc/power.shutdown', 'vim-cmd vmsvc/power.off', 'umount', 'sync'],
];

/** Commands of one word that say or do nothing: a server may have one for its shutdown command where none is needed. */
const idleCommands = new Set(['true', ':', 'echo']);
/** What stands in a longer command beside the part that matters. */
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

const longest = 1024;

/** No shell metacharacter, no line break, and no word that stops something. Words count whole: `shutdown-history` passes. */
export function isPlainProbe(text: string): boolean {
  if (text.trim() === '' || text.length > longest || !/^[A-Za-z0-9 _./:=@%+,-]+$/.test(text)) return false;
  const words = text.toLowerCase().split(/[^a-z0-9_-]+/);
  return (
    !words.some((word) => shutdownWords.has(word)) &&
    !stoppingPairs.some(([program, verb]) => words.includes(program) && words.includes(verb))
  );
}

/** What a plain text does that no probe may do, after "it"; null where nothing is known of it. */
export function probeFault(text: string): string | null {
  const words = wordsOf(text);
  const bare = bareCommand(words);
  const [program = '', ...args] = bare;
  const name = programName(program);
  // PowerShell takes any beginning of the option's name.
  if (
    words.some((word) => /^(?:powershell|pwsh)$/.test(programName(word))) &&
    words.some((word) => /^-e(?:c|n\w*)?$/i.test(word))
  )
    return 'runs a text that cannot be read here';
  const why = changesSomething(name, args);
  if (why !== null) return `begins with ${name}, which ${why}`;
  const action = actionCommands.find((command) => runsCommand(text, command));
  if (action !== undefined) return `runs "${action}", as a shutdown does`;
  const order = orderTo(name, args);
  return order === null ? null : `tells ${name} to "${order}"`;
}

export function isHarmlessProbe(text: string): boolean {
  return isPlainProbe(text) && probeFault(text) === null;
}

/**
 * True where `probe` equals or contains `command`, any text for a shell: compared as words, without what only starts
 * another program, without paths of programs, without case. Options that stand between the words are passed over.
 */
export function runsCommand(probe: string, command: string): boolean {
  const parts = simpleCommands(command).map(bareCommand);
  const words = wordsOf(probe);
  return parts.some((part) => {
    const [program = ''] = part;
    const name = programName(program);
    if (part.length === 1 && idleCommands.has(name)) return false;
    if (parts.length > 1 && (idleParts.has(name) || isKnownToLook(name, part.slice(1)))) return false;
    // The words as they stand, and as they are taken off: `env -Sprogram` holds one in an option.
    return contains(words, part) || contains(bareCommand(words), part);
  });
}

function contains(words: readonly string[], [program = '', ...rest]: readonly string[]): boolean {
  const name = programName(program);
  if (name === '') return false;
  return words.some(
    (word, start) => programName(word) === name && follows(words.slice(start + 1), rest.map(folded)),
  );
}

function follows(words: readonly string[], wanted: readonly string[]): boolean {
  let next = 0;
  for (const word of words) {
    if (next === wanted.length) break;
    if (folded(word) === wanted[next]) next += 1;
    else if (!word.startsWith('-')) return false;
  }
  return next === wanted.length;
}

/** A path by any spelling: without case, doubled and last slashes, and what `.` and `..` stand for. */
function folded(word: string): string {
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
