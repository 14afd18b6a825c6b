// The command line that starts a worker process tied to its supervisor and stripped of what it does not need.
import { fileURLToPath } from 'node:url';
import type { Account } from '../host/accounts.js';

/** On every Debian (util-linux); a path, because the environment of the daemon is not asked where it is. */
export const setprivPath = '/usr/bin/setpriv';

/** Checked before any code of the worker is loaded. */
const guard = fileURLToPath(new URL('../../shared/runtime/supervisor-guard.js', import.meta.url));

export interface CommandLineOrder {
  readonly entry: string;
  readonly heapLimitMb: number;
  /** Whom to become; null keeps the account. Only root can become anybody. */
  readonly account: Account | null;
  readonly nodePath: string;
}

/**
 * `--pdeathsig` comes to bear after the change of account, which would clear it; the kernel then ends the worker with
 * the supervisor, also one that spins. Without root all but the change of account works the same.
 */
export function workerCommandLine(order: CommandLineOrder): readonly string[] {
  const { account } = order;
  return [
    setprivPath,
    '--pdeathsig=KILL',
    '--no-new-privs',
    '--bounding-set=-all',
    '--inh-caps=-all',
    ...(account === null
      ? []
      : [
          `--reuid=${String(account.uid)}`,
          `--regid=${String(account.gid)}`,
          account.groups.length === 0 ? '--clear-groups' : `--groups=${account.groups.join(',')}`,
        ]),
    order.nodePath,
    `--max-old-space-size=${String(order.heapLimitMb)}`,
    `--import=${guard}`,
    order.entry,
  ];
}

/**
 * What a worker sees of the environment: where programs are, the time zone, the authorities its TLS trusts besides
 * Node's, the journal of its log lines, and whose it is.
 */
export function workerEnvironment(own: NodeJS.ProcessEnv, supervisorPid: number): Record<string, string> {
  const kept = ['TZ', 'NODE_EXTRA_CA_CERTS', 'JOURNAL_STREAM', 'NODE_V8_COVERAGE'].flatMap((name) =>
    own[name] === undefined ? [] : [[name, own[name]] as const],
  );
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    HOME: '/',
    RIDETHROUGH_SUPERVISOR: String(supervisorPid),
    ...Object.fromEntries(kept),
  };
}
