// The command line of a worker process: tied to its supervisor, without privileges it does not need.
import { fileURLToPath } from 'node:url';
import type { Account } from '../host/accounts.js';

/** Part of every Debian (util-linux). An absolute path: the PATH of the daemon is not used. */
export const setprivPath = '/usr/bin/setpriv';

/**
 * Runs what follows in a network namespace of its own, which has no interface that is up. A container may not permit that: it then
 * runs with the network, and the worker says so. No fork: the process stays the supervisor's child.
 */
const offline = [
  '/bin/sh',
  '-c',
  'unshare --net -- true 2>/dev/null && exec unshare --net -- "$@"; exec "$@"',
  'ridethrough',
] as const;

const root: Account = { uid: 0, gid: 0, groups: [] };

/** A directory of the storage worker's user lets root in by this alone. */
const fileCapability = 'dac_override';

/** Runs before any code of the worker. */
const guard = fileURLToPath(new URL('../../shared/runtime/supervisor-guard.cjs', import.meta.url));

export interface CommandLineOrder {
  readonly entry: string;
  readonly heapLimitMb: number;
  /** The account to change to; null keeps the current one. Only root can change it. */
  readonly account: Account | null;
  readonly nodePath: string;
  /** Only with root's account: it keeps the right to write files in any directory, and loses the network. */
  readonly writesAsRoot?: boolean;
}

/**
 * setpriv applies `--pdeathsig` after the change of account, which would clear it: the kernel then kills the worker
 * with the supervisor, even one in an endless loop. Without root everything but the change of account works too.
 */
export function workerCommandLine(order: CommandLineOrder): readonly string[] {
  const privileges =
    order.writesAsRoot === true
      ? [...offline, ...setprivWords(root, true, fileCapability)]
      : setprivWords(order.account);
  return [
    ...privileges,
    order.nodePath,
    `--max-old-space-size=${String(order.heapLimitMb)}`,
    `--require=${guard}`,
    order.entry,
  ];
}

/**
 * Goes before a command that must have no privilege and must not outlive the supervisor. Only root can empty the bounding set:
 * for others newer versions of setpriv (2.41) fail, and without new privileges that set means nothing to them.
 */
export function setprivWords(
  account: Account | null,
  asRoot = process.getuid?.() === 0,
  keptCapability: string | null = null,
): readonly string[] {
  return [
    setprivPath,
    '--pdeathsig=KILL',
    '--no-new-privs',
    ...(asRoot ? [`--bounding-set=-all${keptCapability === null ? '' : `,+${keptCapability}`}`] : []),
    '--inh-caps=-all',
    ...(account === null
      ? []
      : [
          `--reuid=${String(account.uid)}`,
          `--regid=${String(account.gid)}`,
          account.groups.length === 0 ? '--clear-groups' : `--groups=${account.groups.join(',')}`,
        ]),
  ];
}

/** glibc: one heap for all threads, whose end goes back to the kernel; with 50 UPSes 6 MB less in all processes. */
const smallHeap = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * The environment of a worker: PATH, time zone, the extra certificate authorities for TLS, the journal for its log
 * lines, the supervisor's pid.
 */
export function workerEnvironment(own: NodeJS.ProcessEnv, supervisorPid: number): Record<string, string> {
  const kept = ['TZ', 'NODE_EXTRA_CA_CERTS', 'JOURNAL_STREAM', 'NODE_V8_COVERAGE'].flatMap((name) =>
    own[name] === undefined ? [] : [[name, own[name]] as const],
  );
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    HOME: '/',
    ...smallHeap,
    RIDETHROUGH_SUPERVISOR: String(supervisorPid),
    ...Object.fromEntries(kept),
  };
}
