// Reduces a command line to its simple commands, each without the words that only start another program. For comparing
// commands, never for running one.

interface Wrapper {
  /** Options whose value is the next word: letters, and long names. */
  readonly letters?: string;
  readonly long?: readonly string[];
  /** Operands between its options and the program. */
  readonly operands?: number;
  /** The program follows -c, wherever that is. */
  readonly afterC?: true;
}

type Wrappers = Readonly<Record<string, Wrapper>>;

/** Programs that run the program in their arguments, as another user or with other settings. */
const wrappers: Wrappers = {
  sudo: {
    letters: 'ughpCrtTUDR',
    long: [
      'user',
      'group',
      'host',
      'prompt',
      'close-from',
      'role',
      'type',
      'command-timeout',
      'other-user',
      'chdir',
      'chroot',
    ],
  },
  doas: { letters: 'uCa' },
  run0: {
    letters: 'ugDa',
    long: [
      ...[
        'user',
        'group',
        'chdir',
        'area',
        'nice',
        'setenv',
        'background',
        'unit',
        'property',
        'description',
      ],
      ...['slice', 'machine', 'shell-prompt-prefix'],
    ],
  },
  nsenter: { letters: 'tSGW', long: ['target', 'setuid', 'setgid', 'wdns'] },
  env: { letters: 'uC', long: ['unset', 'chdir'] },
  nice: { letters: 'n', long: ['adjustment'] },
  ionice: { letters: 'cn', long: ['class', 'classdata'] },
  chrt: { operands: 1 },
  taskset: { operands: 1 },
  timeout: { letters: 'sk', long: ['signal', 'kill-after'], operands: 1 },
  stdbuf: { letters: 'ioe', long: ['input', 'output', 'error'] },
  time: { letters: 'fo', long: ['format', 'output'] },
  nohup: {},
  setsid: {},
  command: {},
  builtin: {},
  exec: { letters: 'a' },
  pkexec: { long: ['user'] },
  busybox: {},
  toybox: {},
  sh: { letters: 'oO' },
  bash: { letters: 'oO', long: ['rcfile', 'init-file'] },
  dash: { letters: 'o' },
  ash: { letters: 'o' },
  ksh: { letters: 'o' },
  mksh: { letters: 'o' },
  zsh: { letters: 'o' },
  fish: {},
  csh: {},
  tcsh: {},
  cmd: {},
  powershell: { long: ['executionpolicy', 'version'] },
  pwsh: { long: ['executionpolicy', 'version'] },
};

/** Also those that no probe may begin with. */
const everyWrapper: Wrappers = {
  ...wrappers,
  su: { afterC: true },
  // The host is an operand.
  ssh: { letters: 'BbcDEeFIiJLlmOoPpQRSWw', operands: 1 },
  runuser: { letters: 'ugG', long: ['user', 'group', 'supp-group'], afterC: true },
  chroot: { letters: 'ugG', long: ['userspec', 'groups'], operands: 1 },
  unshare: {
    letters: 'SGRw',
    long: [
      ...['setuid', 'setgid', 'root', 'wd', 'propagation', 'setgroups', 'monotonic', 'boottime'],
      ...['map-user', 'map-group', 'map-users', 'map-groups'],
    ],
  },
  setpriv: {
    long: [
      ...[
        'ruid',
        'euid',
        'reuid',
        'rgid',
        'egid',
        'regid',
        'groups',
        'inh-caps',
        'ambient-caps',
        'bounding-set',
      ],
      ...['securebits', 'pdeathsig', 'ptracer', 'selinux-label', 'apparmor-profile', 'seccomp-filter'],
      ...['landlock-access', 'landlock-rule'],
    ],
  },
  'systemd-run': {
    letters: 'HMCpEu',
    long: [
      ...[
        'host',
        'machine',
        'capsule',
        'unit',
        'property',
        'description',
        'slice',
        'service-type',
        'uid',
        'gid',
        'nice',
      ],
      ...['setenv', 'working-directory', 'root-directory', 'background', 'job-mode', 'on-active', 'on-boot'],
      ...['on-startup', 'on-unit-active', 'on-unit-inactive', 'on-calendar', 'timer-property'],
      ...['path-property', 'socket-property'],
    ],
  },
};

/** Shell keywords. They precede a command or are none. */
const keywords = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', 'done', 'fi', 'esac']);

/** The name of a program: lower case, without its path and without a Windows suffix. */
export function programName(word: string): string {
  return word
    .toLowerCase()
    .replace(/^.*[/\\]/, '')
    .replace(/\.(?:exe|com|cmd|bat)$/, '');
}

/** The simple commands of a shell line, as words. Quotes are ignored: quoted text may be run too. */
export function simpleCommands(text: string): readonly (readonly string[])[] {
  return text
    .replaceAll(/\d*(?:>>?|<)\s*(?:&\s*)?[^\s;|&]*/g, ' ')
    .replaceAll(/['"]/g, '')
    .split(/[;|&(){}`\n]|\$\(/)
    .map((part) => {
      const words = part.split(/\s+/).filter((word) => word !== '' && word !== '$');
      const first = words.findIndex((word) => !keywords.has(word));
      return first === -1 ? [] : words.slice(first);
    })
    .filter((words) => words.length > 0);
}

/** The words of the program that finally runs. A wrapper without a command is that program itself. */
export function bareCommand(words: readonly string[]): readonly string[] {
  return unwrapWords(words, wrappers);
}

/** The same, also behind a wrapper that no probe may begin with. */
export function finalProgram(words: readonly string[]): readonly string[] {
  return unwrapWords(words, everyWrapper);
}

function unwrapWords(words: readonly string[], known: Wrappers): readonly string[] {
  let here = words;
  for (;;) {
    const assigned = here.findIndex((word) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word));
    if (assigned > 0) here = here.slice(assigned);
    const inner = withoutWrapper(here, known);
    if (inner.length === 0) return here;
    here = inner;
  }
}

/** Empty when `words` is no wrapper, or a wrapper without a command. */
function withoutWrapper(words: readonly string[], known: Wrappers): readonly string[] {
  const name = programName(words[0] ?? '');
  const wrapper = Object.hasOwn(known, name) ? known[name] : undefined;
  if (wrapper === undefined) return [];
  const text =
    wrapper.afterC === true ? words.findIndex((word) => /^(?:-\w*c$|--command(?:=|$))/.test(word)) : -1;
  const [, inside] = /^--command=(.+)$/.exec(words[text] ?? '') ?? [];
  if (text !== -1) return [...(inside === undefined ? [] : [inside]), ...words.slice(text + 1)];
  // Without -c, what follows the user is for the shell of the user.
  if (name === 'su') return [];
  // `command -v` only prints where the program is.
  if (name === 'command' && /^-p?[vV]/.test(words[1] ?? '')) return [];
  let at = 1;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') {
      at += 1;
      break;
    }
    // `env -Sprogram` has its program in the option.
    const split = name === 'env' ? /^(?:-[iv0]*S|--split-string=)(.+)$/.exec(word)?.[1] : undefined;
    if (split !== undefined) return [split, ...words.slice(at + 1)];
    const windows = name === 'cmd' && /^\/[a-z]/i.test(word);
    if (!windows && !/^[-+]./.test(word)) {
      const isOwn = word === '-' || (name !== 'sh' && /^[A-Za-z_][A-Za-z0-9_]*=/.test(word));
      if (!isOwn) break;
    } else if (takesNext(word, wrapper)) at += 1;
  }
  return words.slice(at + (wrapper.operands ?? 0));
}

/** A long option may be abbreviated; of letters in one word the last may take a value. */
function takesNext(word: string, { letters = '', long = [] }: Wrapper): boolean {
  const name = /^--?([a-z-]+)$/i.exec(word)?.[1]?.toLowerCase();
  // A program without letter options, as PowerShell, has one hyphen before a long option.
  if (word.startsWith('--') || letters === '')
    return name !== undefined && name !== '' && long.some((one) => one.startsWith(name));
  // `nsenter -m/proc/1/ns/mnt`: the value is in the word.
  if (word.includes('/')) return false;
  const cluster = [...word.slice(1)];
  const first = cluster.findIndex((letter) => letters.includes(letter));
  return first !== -1 && first === cluster.length - 1;
}
