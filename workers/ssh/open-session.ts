// Opens a session on a server: key, address, and a second attempt after a temporary failure, within one deadline.
import type { SshAccess } from '../../shared/protocol/remote.js';
import type { HostAddresses } from './addresses.js';
import type { HostAddress, KnownHosts } from './known-hosts/known-hosts.js';
import type { LoginResult, LoginFailure } from './login.js';
import { logIn } from './login.js';
import type { PrivateKeys } from './private-keys.js';

export interface SshDependencies {
  readonly addresses: HostAddresses;
  readonly knownHosts: KnownHosts;
  readonly keys: PrivateKeys;
}

/**
 * A switch that changes its power supply, or a server with too many logins, recovers within a second. A server that is off
 * stays off: more than one further attempt would only delay the next order.
 */
const retryDelayMs = 1_000;
const attempts = 2;

/** Never rejects; ends within `deadlineMs`. */
export async function openSession(
  access: Omit<SshAccess, 'hostKeyPolicy'> & Pick<HostAddress, 'hostKeyPolicy'>,
  deps: SshDependencies,
  deadlineMs: number,
): Promise<LoginResult> {
  const until = performance.now() + deadlineMs;
  const { server, host, privateKey } = access;
  if (privateKey === null)
    return withoutKey(access.keyTrouble ?? `there is no key for the login to ${server}`);
  const usable = deps.keys.usable(privateKey);
  if (!usable.ok) return withoutKey(unusableKey(server, usable.trouble));
  const [addresses] = await Promise.all([
    deps.addresses.find(host, deadlineMs),
    deps.knownHosts.freshen(access.knownHostsFile),
  ]);
  if (addresses.length === 0)
    return {
      ok: false,
      result: 'unreachable',
      reason: unresolvedName(host),
      transient: false,
      obstacle: 'name',
    };
  const order = {
    host,
    port: access.port,
    user: access.user,
    key: usable.key,
    addresses,
    knownHostsFile: access.knownHostsFile,
    hostKeyPolicy: access.hostKeyPolicy,
  };
  for (let attempt = 1; ; attempt += 1) {
    const login = await logIn(
      { ...order, deadlineMs: Math.max(0, until - performance.now()) },
      deps.knownHosts,
    );
    const again = !login.ok && login.transient && attempt < attempts;
    if (!again || until - performance.now() < 2 * retryDelayMs) return login;
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
  }
}

export const unusableKey = (server: string, trouble: string): string =>
  `the key for ${server} cannot be used: ${trouble}`;

export const unresolvedName = (host: string): string => `the name ${host} has not resolved since the start`;

const withoutKey = (reason: string): LoginFailure => {
  return { ok: false, result: 'failed', reason, transient: false, obstacle: 'key' };
};
