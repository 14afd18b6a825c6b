// What one program with its arguments does to this host. Only what is sure is listed; any other program may do anything. Pure.
import { programName } from '../../../../../shared/domain/commands/command-words.js';
import { timeOfShutdown } from '../../../../../shared/domain/commands/shutdown-line.js';
import { isLoopback } from '../../../../../shared/runtime/loopback.js';
import type { SshCall } from './verdict.js';

/** A word whose value is not known: null. */
export type Words = readonly (string | null)[];

export type Effect =
  /** `seconds`: until the machine goes down. `needsRoot`: run as another user it is refused. */
  | { readonly kind: 'down'; readonly seconds: number; readonly needsRoot: boolean }
  /** `succeeds`: with exit code 0, as far as can be told. */
  | { readonly kind: 'harmless'; readonly succeeds: boolean }
  /** It takes a planned shutdown back. */
  | { readonly kind: 'cancel' }
  /** On another host, where it may do anything. */
  | ({ readonly kind: 'remote' } & SshCall)
  | { readonly kind: 'unknown' };

const unknown: Effect = { kind: 'unknown' };
const harmless: Effect = { kind: 'harmless', succeeds: false };

const always = 'true : echo printf sleep sync export readonly local declare umask set';
const sometimes =
  'false test [ [[ logger wall mail mailx sendmail msmtp mutt cat date hostname uname uptime whoami id ls mkdir rmdir chmod ' +
  'chown rm grep egrep fgrep cut tr head tail wc sort uniq basename dirname readlink upsc apcaccess pwd cd wakeonlan etherwake ' +
  'ether-wake notify-send beep ping host nslookup pgrep free df ps who w printenv stat seq exit return break continue wait shift ' +
  'unset read ntfy pushover scp rsync';
const kinds: ReadonlyMap<string, boolean> = new Map([
  ...sometimes.split(' ').map((name) => [name, false] as const),
  ...always.split(' ').map((name) => [name, true] as const),
]);

const options = (words: Words): readonly string[] =>
  words.flatMap((word) => (word?.startsWith('-') === true ? [word] : []));
const operands = (words: Words): Words => words.filter((word) => word?.startsWith('-') !== true);
const every = (words: Words, form: RegExp): boolean =>
  words.every((word) => word !== null && form.test(word));

const down: Effect = { kind: 'down', seconds: 0, needsRoot: true };

/** Effects that depend on arguments. `words` begins with the program. */
const programs: Readonly<Record<string, (words: Words) => Effect>> = {
  shutdown,
  poweroff: halt,
  halt,
  init,
  telinit: init,
  systemctl,
  upsmon: (words) => {
    const text = words.slice(1).join(' ');
    if (/^-c ?fsd$/.test(text) && !words.includes(null))
      return { kind: 'down', seconds: 0, needsRoot: false };
    return /^-c ?(?:reload|stop)$/.test(text) ? harmless : unknown;
  },
  upscmd: (words) =>
    words.some((word) => word !== null && /^(?:beeper|test)\.[a-z.]+$/.test(word)) &&
    !words.some((word) => word === null || /^(?:load|shutdown|outlet|driver)\./.test(word))
      ? harmless
      : unknown,
  service: (words) => (every(words.slice(2), /^(?:stop|reload|status)$/) ? harmless : unknown),
  tee: (words) => (every(operands(words.slice(1)), /^(?!\/(?:proc|sys|dev)\/)/) ? written(words) : unknown),
  touch: written,
  cp: written,
  mv: written,
  ln: written,
  // Another host than this one.
  curl: fetcher,
  wget: fetcher,
  ssh,
  docker: guests,
  podman: guests,
  virsh: guests,
  qm: guests,
  pct: guests,
  xe: guests,
  'docker-compose': guests,
};

/** Also of NixOS, where nobody but root writes there. */
const ofSystem =
  /^(?:\/(?:usr\/)?(?:local\/)?s?bin\/|\/run\/current-system\/sw\/s?bin\/|\/nix\/store\/[\w.+-]+\/s?bin\/)?[\w.:[-]+$/;

export function effectOf(words: Words): Effect {
  const [first] = words;
  // A path may be any program of that name; those of the system are what they are called.
  if (first === null || first === undefined || !ofSystem.test(first)) return unknown;
  const name = programName(first);
  const own = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (own !== undefined) return own(words);
  const succeeds = first.startsWith('/usr/local/') ? undefined : kinds.get(name);
  return succeeds === undefined ? unknown : { kind: 'harmless', succeeds };
}

function shutdown(words: Words): Effect {
  // What follows the time is a message.
  const known = words.map((word) => word ?? '\0');
  const { letters, seconds, unknownAt: isUnknown } = timeOfShutdown(known);
  // One of these may show something and shut nothing down.
  const unknownAt =
    isUnknown ||
    !every(
      options(words).filter((word) => word.startsWith('--')),
      /^--(?:|halt|poweroff|no-wall)$/,
    );
  if (unknownAt || !/^[hHPptfFnqc]*k?$/.test(letters.filter((one) => one !== 'c').join(''))) {
    return letters.includes('k') && !unknownAt ? harmless : unknown;
  }
  if (letters.includes('c')) return { kind: 'cancel' };
  if (letters.includes('k')) return harmless;
  if (seconds === null) return unknown;
  return { kind: 'down', seconds, needsRoot: true };
}

function halt(words: Words): Effect {
  const rest = words.slice(1);
  if (rest.some((word) => word === '-w' || word === '--wtmp-only' || word === '--help')) return harmless;
  const form = /^(?:-[pfdnih]+|--(?:poweroff|halt|force|no-wtmp|no-wall|no-sync))$/;
  return every(rest, form) ? down : unknown;
}

function init(words: Words): Effect {
  return words.length === 2 && words[1] === '0' ? down : unknown;
}

function systemctl(words: Words): Effect {
  const form =
    /^(?:-[iqf]+|--(?:no-block|force|no-wall|quiet|no-ask-password|ignore-inhibitors|check-inhibitors=no|job-mode=[a-z-]+|message=.*))$/;
  const [verb, ...units] = operands(words.slice(1));
  if (!every(options(words.slice(1)), form) || verb === null || verb === undefined) return unknown;
  if (/^(?:poweroff|halt)$/.test(verb)) return units.length === 0 ? down : unknown;
  if (/^(?:start|isolate)$/.test(verb))
    return units.length === 1 && /^(?:poweroff|halt)\.target$/.test(units[0] ?? '') ? down : unknown;
  const isOther = /^(?:stop|reload|status|is-active|kill|mask|daemon-reload)$/.test(verb);
  return isOther && every(units, /^[\w@.\\-]+$/) && !every(units, /\.target$/) ? harmless : unknown;
}

function fetcher(words: Words): Effect {
  const isElsewhere = words
    .slice(1)
    .every(
      (word) =>
        word === null || (!/localhost|127\.|\[::1\]|\bfile:|socket/.test(word) && !isOrder.test(word)),
    );
  return isElsewhere && words.some((word) => word !== null && /^https?:\/\/[^/$]/.test(word))
    ? harmless
    : unknown;
}

/**
 * An address or a body that asks for a power-off, as the interfaces of Proxmox, TrueNAS, Home Assistant, DSM and management boards take it.
 * It may be that of this machine.
 */
const isOrder =
  /^https?:\/\/[^?#]*(?:shut-?_?down|power-?_?(?:off|down)|halt|\.Reset)\/?(?:[?#]|$)|(?:^|[?&{,\s])["']?(?:command|cmd|action|method|reset_?type)["']?\s*[:=]\s*["']?\w*(?:shut-?_?down|power-?_?(?:off|down)|force_?off|halt)(?=["'&},]|\s*$)/i;

function written(words: Words): Effect {
  return operands(words.slice(1)).some((path) => path !== null && mayTell(path)) ? unknown : harmless;
}

function guests(words: Words): Effect {
  const [verb] = operands(words.slice(1));
  return verb !== undefined &&
    verb !== null &&
    /^(?:stop|kill|ps|list|shutdown|destroy|suspend|vm-shutdown|compose|down)$/.test(verb)
    ? harmless
    : unknown;
}

/** Of ssh: the first letter with a value, and the value where it is in the same word. */
const valued = /^-[^bcDEeFIiJLlmOopQRSWw]*([bcDEeFIiJLlmOopQRSWw])(.*)$/s;

function ssh(words: Words): Effect {
  let at = 1;
  const given = new Map<string, string>();
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === null || word === undefined || !word.startsWith('-')) break;
    const [, letter, value] = valued.exec(word) ?? [];
    if (letter === undefined) continue;
    if (value === '') at += 1;
    given.set(letter, (value === '' ? words[at] : value) ?? '');
  }
  const [, name, host] = /^(?:([\w.-]+)@)?([\w.:[\]-]+)$/.exec(words[at] ?? '') ?? [];
  if (host === undefined || isLoopback(host)) return unknown;
  const command = words
    .slice(at + 1)
    .map((word) => word ?? '…')
    .join(' ');
  const [user, port = '', key = ''] = [name ?? given.get('l') ?? '', given.get('p'), given.get('i')];
  return { kind: 'remote', host, user, port, key, command };
}

/** Files, but of the system. */
const mayBeWritten = /^(?:\/dev\/(?:null|std(?:out|err)|console|tty\d*)|[0-9-]|(?!\/(?:dev|proc|sys)\/).+)$/;

const isLog = /^(?:\/dev\/.*|[0-9-]|\/var\/log\/.*|.*\.log)$/;

/** Its name may tell a job of cron, or a unit of systemd, to shut down. */
const mayTell = (path: string): boolean =>
  !isLog.test(path) && /shut-?_?down|power-?_?(?:off|down|fail)|halt|kill-?_?power|fsd/i.test(path);
/** So may a text of nothing else: it is the state of a UPS, as dummy-ups reads it, or an order. */
const orders =
  /^(?:ups\.status: *)?(?=.*\b(?:LB|FSD|shut ?down|power ?off|halt|off|down)\b)(?:\b(?:OB|OL|LB|FSD|DISCHRG|shut ?down|power ?off|halt|off|down|now)\b ?)+$/i;

/** Whether what is written there starts nothing. A file may be a pipe, whose reader runs each line. */
export function startsNothing(path: string, words: Words): boolean {
  if (!mayBeWritten.test(path) || mayTell(path)) return false;
  const isText = /^(?:echo|printf)$/.test(words[0] ?? '') && !isLog.test(path);
  const [line = ''] = operands(words.slice(1))
    .join(' ')
    .split(/\\n|\n/);
  if (isText && orders.test(line.trim())) return false;
  const command = unwrapWords(line.split(/\s+/).filter((word) => word !== ''));
  return !isText || command === null || effectOf(command.words).kind !== 'down';
}

/** The program that another one starts with the same rights or those of root; null where that is not sure. */
export function unwrapWords(words: Words): { readonly words: Words; readonly asRoot: boolean } | null {
  let [here, asRoot] = [words, false];
  for (let depth = 0; depth < 8; depth += 1) {
    const [first] = here;
    if (first === null || first === undefined) return null;
    const name = programName(first);
    const form = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
    if (form === undefined) return { words: here, asRoot };
    const ssh = sshAsAnother.test(here.map((word) => word ?? '…').join(' ')) ? here.findIndex(isSsh) : -1;
    if (ssh > 0) return { words: here.slice(ssh), asRoot };
    let at = 1;
    for (; at < here.length; at += 1) {
      const word = here[at];
      if (word === null || word === undefined) return null;
      const pair = `${word} ${here[at + 1] === null ? '…' : (here[at + 1] ?? '')}`;
      if (form.test(pair) && form.exec(pair)?.[0] === pair) at += 1;
      else if (!form.test(word) || form.exec(word)?.[0] !== word) break;
    }
    if (name === 'timeout') {
      if (!/^[\d.]+[smhd]?$/.test(here[at] ?? '')) return null;
      at += 1;
    }
    const [next] = here.slice(at);
    if (next === null || next === undefined || next.startsWith('-')) return null;
    asRoot ||= name === 'sudo' || name === 'doas';
    here = here.slice(at);
  }
  return null;
}

/** Options that change nothing of what is asked here, alone or with their value. */
const wrappers: Readonly<Record<string, RegExp>> = {
  sudo: /-[nEHSk]+|--non-interactive|--preserve-env|--set-home|-u root|-u #0|--user=root|--/,
  doas: /-n|-u root|--/,
  runuser: /-u root|--/,
  exec: /--/,
  command: /-p|--/,
  nohup: /--/,
  setsid: /-[fw]+|--/,
  nice: /-n -?\d+|-\d+|--/,
  ionice: /-c ?\d|-n ?\d|-c\d|-n\d|--/,
  env: /[A-Za-z_]\w*=\S*/,
  busybox: /(?!)/,
  timeout: /-[ks] ?\S+|-v|--(?:kill-after|signal)=\S+|--(?:foreground|preserve-status|verbose)/,
  sshpass: /-[pfdP] [^]*|-[pfdP][^]+|-[ev]/,
};

const isSsh = (word: string | null): boolean => word !== null && programName(word) === 'ssh';
/** What it does to another machine does not depend on the user. */
const sshAsAnother =
  /^\S*(?:sudo|doas|runuser) (?:-[nEHSk]+ |--? ?|-[ug] ?\S+ |--(?:user|group)=\S+ )*(?:\/\S*\/)?ssh /;
