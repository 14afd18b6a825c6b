// Warns at startup of data disclosed on a remotely reachable address (specification/api.md#startup-warnings).
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
    `the API listens on ${address} in cleartext, and other machines can reach it: passwords and tokens can be read on the network. Set api.bind to 127.0.0.1 and use a reverse proxy with TLS.`,
  );
  if ((await auth()) === 'off')
    log.warning(
      `every machine that can reach the API on ${address} can read it: without authentication it shows the names, hosts and state of UPSes and servers. Create a user (ridethrough user create NAME) and set api.auth.require_for_reads.`,
    );
}
