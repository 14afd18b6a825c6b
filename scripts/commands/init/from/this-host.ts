// Whether a host that a script names is the machine that init runs on.
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

/** A name counts with and without its domain: it costs a question where it is another one's. */
export function isThisHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  if (isIP(name) === 0) return withoutDomain(name) === withoutDomain(hostname().toLowerCase());
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address.toLowerCase() === name),
  );
}

const withoutDomain = (name: string): string => name.replace(/\..*$/, '');
