// Whether a request goes through the proxy of the environment (specification/notifications.md#proxies). Looks no name up.
import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { OutboundProxies, Proxy } from '../domain/services/outbound-proxies.js';
import { proxyNamedFor } from '../domain/services/outbound-proxies.js';
import { isLoopback } from './loopback.js';

/** RFC 1918, 3927 and 6598; RFC 4193 and 4291, 2.5.6. */
const privateAddresses = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  privateAddresses.addSubnet(network, bits, 'ipv4');
privateAddresses.addSubnet('fc00::', 7, 'ipv6');
privateAddresses.addSubnet('fe80::', 10, 'ipv6');

const familyOf = (address: string): 'ipv4' | 'ipv6' | null =>
  ({ 0: null, 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address) as 0 | 4 | 6];

/** Null: directly. */
export function proxyFor(url: string, proxies: OutboundProxies): Proxy | null {
  const { protocol, hostname, port } = new URL(url);
  const proxy = proxyNamedFor(protocol, proxies);
  if (proxy === null || proxy === 'invalid') return null;
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (!proxies.includePrivate && isNear(host)) return null;
  const usual = protocol === 'https:' ? 443 : 80;
  return isExcepted(host, port === '' ? usual : Number(port), proxies.except) ? null : proxy;
}

function isNear(host: string): boolean {
  if (isLoopback(host) || host.endsWith('.localhost')) return true;
  const family = familyOf(host);
  return family !== null && privateAddresses.check(host, family);
}

/** A list of names with their subdomains, addresses and ranges, each with :PORT; `*` is everything. */
function isExcepted(host: string, port: number, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((written) => {
      // As the address of a page.
      const entry = written.replace(/^https?:\/\/([^/]*)\/?$/, '$1');
      // The last group of an address without brackets is no port.
      if (familyOf(entry) === 'ipv6') return isInRange(host, entry);
      const [, bracketed, plain = '', portText] =
        /^(?:\[([^\]]+)\]|([^:]*|[^:]*:[^:]*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
      const text = bracketed ?? plain;
      if (text === '' || (portText !== undefined && Number(portText) !== port)) return false;
      if (text === '*') return true;
      return familyOf(host) === null ? isWithin(host, text) : isInRange(host, text);
    });
}

/** `.example.org`, `*.example.org` and `example.org` are one: the name and everything below it. */
function isWithin(host: string, entry: string): boolean {
  const written = entry.replace(/^\*?\./, '').replace(/\.$/, '');
  // The host of a URL is in ASCII.
  const name = /[^\0-\x7f]/.test(written) ? domainToASCII(written) : written;
  if (name === '') return false;
  return host === name || host.endsWith(`.${name}`);
}

function isInRange(address: string, entry: string): boolean {
  const [network = '', bits] = entry.split('/');
  const family = familyOf(network);
  const own = familyOf(address);
  if (family === null || own === null) return false;
  const range = new BlockList();
  if (bits === undefined) range.addAddress(network, family);
  else if (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv4' ? 32 : 128))
    range.addSubnet(network, Number(bits), family);
  else return false;
  return range.check(address, own);
}
