// Whether the name that upslog was given is that of a configured UPS. Pure.
import { fullUpsName, parseUpsName } from '../../../../shared/domain/ups/ups-name.js';
import { isLoopback } from '../../../../shared/runtime/loopback.js';

/** Any spelling of the same name; `localhost` and `127.0.0.1` are one host. */
export function isSameUps(configured: string, named: string): boolean {
  const [own, other] = [configured, named].map((name) => {
    const address = parseUpsName(name);
    if (address === undefined) return name;
    return fullUpsName(isLoopback(address.host) ? { ...address, host: 'localhost' } : address);
  });
  return own === other;
}
