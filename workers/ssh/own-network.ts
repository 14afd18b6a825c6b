// The own network as the kernel shows it: which interface has an address, and the gateways. Reads only.
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** By address: the name of its interface. Only interfaces that are up and have their carrier (IFF_RUNNING) are in it. */
export function runningLinks(): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const [name, addresses] of Object.entries(networkInterfaces()))
    for (const { address } of addresses ?? []) links.set(plainAddress(address), name);
  return links;
}

/** Without a scope, and an IPv4 address without its IPv6 form. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

/** The own address from which packets to `address` would go; null without a route. Sends none. */
export function ownAddressTo(address: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const end = (own: string | null): void => {
      resolve(own);
      socket.close();
    };
    // Stays: ENETUNREACH comes as an error.
    socket.on('error', () => end(null));
    socket.connect(9, address, () => end(socket.address().address));
  });
}

/**
 * Sure for every one of these addresses: the kernel has no route to it, or the interface of its route has no link. Without an
 * address: no interface but the loopback has one. A silent router or server is not known from here.
 */
export async function isOwnNetworkDown(
  addresses: readonly string[],
  links: ReadonlyMap<string, string> = runningLinks(),
): Promise<boolean> {
  if (addresses.length === 0) return [...links.values()].every((link) => link === 'lo');
  const own = await Promise.all(addresses.map(ownAddressTo));
  return own.every((address) => address === null || !links.has(plainAddress(address)));
}

/** The gateways of an interface: of the default and every other route. */
export function gatewaysOf(link: string): readonly string[] {
  const gateways = [
    ...gateways4(read('/proc/net/route'), link),
    ...gateways6(read('/proc/net/ipv6_route'), link),
  ];
  return [...new Set(gateways)];
}

/** /proc/net/route: interface, destination, gateway (an address in the byte order of the host), flags ... */
export function gateways4(table: string, link: string): readonly string[] {
  return table.split('\n').flatMap((line) => {
    const [name, , gateway = ''] = line.split('\t');
    if (name !== link || !/^[0-9A-F]{8}$/i.test(gateway) || /^0+$/.test(gateway)) return [];
    const bytes = gateway.match(/../g) ?? [];
    // Every machine that Node supports is little-endian, except s390x.
    const inOrder = littleEndian ? bytes.toReversed() : bytes;
    return [inOrder.map((byte) => String(parseInt(byte, 16))).join('.')];
  });
}

/** /proc/net/ipv6_route: destination, its length, source, its length, next hop, metric, references, use, flags, interface. */
export function gateways6(table: string, link: string): readonly string[] {
  return table.split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const gateway = fields[4] ?? '';
    if (fields[9] !== link || !/^[0-9a-f]{32}$/i.test(gateway) || /^0+$/.test(gateway)) return [];
    const address = (gateway.match(/.{4}/g) ?? []).join(':');
    return [/^fe[89ab]/i.test(gateway) ? `${address}%${link}` : address];
  });
}

/** The hardware address that answered ARP for an IPv4 address, in lower case; null: none is known, such as behind a router. */
export const neighbourOf = (address: string): string | null =>
  neighbour4(read('/proc/net/arp'), plainAddress(address));

/** /proc/net/arp: address, type (1: Ethernet), flags (2: complete), hardware address, mask, interface. */
export function neighbour4(table: string, address: string): string | null {
  for (const line of table.split('\n')) {
    const [ip, type, flags, mac = ''] = line.trim().split(/\s+/);
    const isComplete = (Number(flags) & 2) !== 0;
    if (ip === address && Number(type) === 1 && isComplete && /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(mac))
      return mac.toLowerCase();
  }
  return null;
}

const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // No IPv6, or no /proc: no gateway is known, and silence is judged by the other servers alone.
    return '';
  }
}
