// The caller, for throttles and audit rows: a principal, and the address at the other end of the socket.
import type { Socket } from 'node:net';

/** `local` is the control socket. */
export type Principal = 'anonymous' | 'local' | `user:${string}` | `apikey:${string}`;

/** Gives an IPv4 client of an IPv6 socket its IPv4 address. On a Unix socket: `local`. */
export function peerOf({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string {
  return asIPv4(remoteAddress ?? 'local');
}

export function asIPv4(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}
