// Programs that only look, for probes: with any words, or with these first ones. Short on purpose: a probe with another program
// runs all the same, with a warning.
import { programName } from './command-words.js';

const anyWords = new Set(
  (
    'true : echo printf test [ uptime id uname whoami arch nproc ls dir cat head tail wc df du free ps pgrep pidof w who which ' +
    'type stat file grep egrep fgrep zgrep getent lsblk lscpu sensors upsc ver systeminfo tasklist'
  ).split(' '),
);

/** `|` between alternatives; `*`: a word that is no option; `+*`: one that begins so; `$`: no more; nothing: the program alone. */
const firstWords: Readonly<Record<string, string>> = {
  ...each('command', '-v|-V'),
  ...each('hostname', '|-f $|-s $|-i $|-I $'),
  ...each('date', '|+* $'),
  ...each('sudo', '|-l'),
  ...each('mount', ''),
  ...each('systemctl', 'is-active|is-enabled|is-failed|is-system-running|status|show|list-units'),
  ...each('service rc-service', '* status'),
  ...each('docker podman', 'ps|info|version|inspect|ls|container ls|container inspect|compose ps|compose ls'),
  ...each('docker-compose podman-compose', 'ps|ls'),
  ...each('virsh', 'list|domstate|dominfo|nodeinfo|version|hostname'),
  ...each('qm pct', 'list|status|config'),
  ...each('pvesh', 'get|ls'),
  ...each('pvecm ha-manager', 'status|nodes'),
  ...each('xe', 'vm-list|host-list|sr-list|vm-param-get|host-param-get'),
  ...each('vim-cmd', 'vmsvc/getallvms|vmsvc/power.getstate|hostsvc/hostsummary'),
  ...each('esxcli', 'system version get|system hostname get|vm process list|storage filesystem list'),
  ...each('kubectl', 'get|version|cluster-info'),
  ...each('zpool', 'status|list'),
  ...each('zfs', 'list|get'),
  ...each('smartctl', '-H * $|-i * $|-a * $'),
  ...each('midclt', 'call system.info|call system.version|call system.ready|call core.ping'),
  ...each('sc', 'query|queryex'),
};

function each(names: string, words: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, words]));
}

/** Of the system: others with a path are scripts of the operator. */
const ofSystem = /^(?:\/usr)?\/(?:s?bin|lib\w*)\//;

/** True for a command of this list; `words` without what only starts another program. */
export function isOfHarmlessProgram([program = '', ...args]: readonly string[]): boolean {
  const name = programName(program);
  if (anyWords.has(name)) return true;
  const patterns = Object.hasOwn(firstWords, name) ? firstWords[name] : undefined;
  return patterns?.split('|').some((pattern) => begins(args, pattern)) === true;
}

/** `program`: its path in the normal form. */
export function isOwnScript(program: string): boolean {
  return program.startsWith('/') && !ofSystem.test(program);
}

function begins(args: readonly string[], pattern: string): boolean {
  if (pattern === '') return args.length === 0;
  return pattern.split(' ').every((want, at) => {
    const word = args[at] ?? '';
    if (want === '$') return args.length === at;
    if (want === '*') return word !== '' && !word.startsWith('-');
    return want.endsWith('*') ? word.startsWith(want.slice(0, -1)) : word === want;
  });
}
