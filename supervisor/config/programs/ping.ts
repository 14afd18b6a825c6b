// Whether `off_check = "ping"` can work on this machine, as far as the kernel's settings tell. Used only by the reader process.
import { readFileSync } from 'node:fs';
import { readAccounts } from '../../host/accounts.js';
import type { Configuration } from '../configuration/configuration.js';
import { remoteServersOf } from '../derive/ssh-access.js';

/**
 * A warning when no group of the worker may send pings. Workers gain no privilege by a program (supervision/worker-command.ts),
 * so ping works for them only by this range. `groups`: of the worker; null: not known, any group counts.
 */
export function pingWarnings(
  configuration: Configuration,
  range = readRange(),
  groups = groupsOfWorker(configuration),
): readonly string[] {
  const isUsed = remoteServersOf(configuration).some(({ offCheck }) => offCheck === 'ping');
  const [low = 0, high = 0] = range.trim().split(/\s+/).map(Number);
  const isPermitted = groups?.some((group) => low <= group && group <= high) ?? low <= high;
  if (!isUsed || range === '' || isPermitted) return [];
  return [
    'shutdown.off_check: ping is not permitted to the daemon on this machine: set net.ipv4.ping_group_range to include the group of supervisor.worker_users.ssh (sysctl), or use "tcp"',
  ];
}

/** Only root changes to the user of the worker; without that user its workers stay root. */
function groupsOfWorker({ supervisor }: Configuration): readonly number[] | null {
  if (process.getuid?.() !== 0) return null;
  try {
    const account = readAccounts().get(supervisor.workerUsers.ssh);
    return account === undefined ? [0] : [account.gid, ...account.groups];
  } catch {
    return null;
  }
}

function readRange(): string {
  try {
    return readFileSync('/proc/sys/net/ipv4/ping_group_range', 'utf8');
  } catch {
    // Without /proc it is not known.
    return '';
  }
}
