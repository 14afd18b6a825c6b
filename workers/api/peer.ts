// Who is at the other end of a socket: its address, as throttles count it and audit rows name it.
import type { Socket } from 'node:net';

/** An IPv4 client of an IPv6 socket is the same as any other IPv4 client. On a Unix socket: `local`. */
export function peerOf({ remoteAddress }: Pick<Socket, 'remoteAddress'>): string {
  return (remoteAddress ?? 'local').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}
