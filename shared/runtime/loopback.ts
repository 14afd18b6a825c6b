// Whether an address is a loopback address: traffic to it cannot be read on the network.
import { BlockList, isIP } from 'node:net';

/**
 * RFC 1122, 3.2.1.3, and RFC 4291, 2.5.3. Node checks an IPv4-mapped address (RFC 4291, 2.5.5.2) against the IPv4 rule.
 */
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** `host`: `localhost`, or an address in any spelling, with or without brackets and zone. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const family = isIP(address);
  if (family === 0) return address.toLowerCase() === 'localhost';
  return loopback.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
