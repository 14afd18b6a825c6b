// Warns at startup of what the API discloses on an address that other machines can reach
// (specification/api.md#startup-warnings).
import type { Logger } from '../../../shared/runtime/log.js';
import { isLoopback } from '../../../shared/runtime/loopback.js';
import type { AuthState } from './access.js';

/** `address` as the listener reports it: `192.0.2.1:9191`, `[::]:9191`. */
export async function warnOfExposure(
  address: string,
  auth: () => Promise<AuthState>,
  log: Logger,
): Promise<void> {
  if (isLoopback(address.replace(/:\d+$/, ''))) return;
  log.warning(
    `the API listens on ${address}, which other machines can reach, in cleartext: passwords, tokens and everything else can be read on the way. Bind it to 127.0.0.1 and put a proxy with TLS before it.`,
  );
  if ((await auth()) === 'off')
    log.warning(
      `the API on ${address} is open to everybody who can reach it: without authentication it tells the names, hosts and state of your UPSes and servers. Create a user (ridethrough user create NAME) and set api.auth.require_for_reads.`,
    );
}
