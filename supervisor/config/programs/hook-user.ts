// Whether hooks can run on this machine: they have a user of their own. Used only by the reader process.
import { readAccounts } from '../../host/accounts.js';
import type { Configuration } from '../configuration/configuration.js';

/** A warning when hooks are configured and their user does not exist. A daemon that is not root runs them as itself. */
export function hookUserWarnings(
  { hooks, supervisor }: Configuration,
  isRoot = process.getuid?.() === 0,
  accounts = isRoot ? readAccounts() : null,
): readonly string[] {
  const name = supervisor.workerUsers.hook;
  if (hooks.length === 0 || accounts === null || accounts.has(name)) return [];
  return [
    `hooks: no hook runs, because the user ${name} does not exist; run systemd-sysusers or the scripts of the package to create it`,
  ];
}
