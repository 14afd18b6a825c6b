// Syslog over UDP: one packet for each line, to a connected socket so that the name is looked up once per connection.
import type { Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import type { Outlet, Progress } from './outlet.js';
import { errorMessage } from '../../../shared/domain/base/error-message.js';

/** RFC 3164 section 2. */
const standardPort = 514;

export function udpOutlet(address: string): Outlet {
  const { host, port } = parseAddress(address);
  let socket: Socket | undefined;
  let failure: string | undefined;
  const drop = (): void => {
    socket?.close();
    socket = undefined;
  };
  return {
    name: `syslog at ${address}`,
    send: async (lines) => {
      try {
        socket ??= await connect(host, port, (error) => {
          failure = error.message;
        });
        const progress = await sendAll(socket, lines, () => failure);
        if (progress.failure !== null) {
          drop();
          failure = undefined;
        }
        return progress;
      } catch (error) {
        drop();
        return { taken: 0, failure: errorMessage(error) };
      }
    },
    reopen: drop,
    close: drop,
  };
}

/** `host:port`, `[v6]:port`, or a host alone with the port of syslog. */
export function parseAddress(address: string): { host: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(address);
  return {
    host: match?.[1] ?? match?.[2] ?? address,
    port: match?.[3] === undefined ? standardPort : Number(match[3]),
  };
}

async function connect(host: string, port: number, onError: (error: Error) => void): Promise<Socket> {
  // A socket has one address family, and a name may have addresses of the other only.
  const { address, family } = await lookup(host);
  return new Promise((resolve, reject) => {
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
    const refused = (error: Error): void => {
      socket.close();
      reject(error);
    };
    socket.once('error', refused);
    socket.connect(port, address, () => {
      socket.off('error', refused);
      // The answer of a closed port comes after the packet.
      socket.on('error', onError);
      resolve(socket);
    });
  });
}

async function sendAll(
  socket: Socket,
  lines: readonly string[],
  broken: () => string | undefined,
): Promise<Progress> {
  let taken = 0;
  for (const line of lines) {
    const failure = broken() ?? (await sendOne(socket, line));
    if (failure !== undefined) return { taken, failure };
    taken += 1;
  }
  return { taken, failure: null };
}

function sendOne(socket: Socket, line: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    socket.send(line, (error) => resolve(error?.message));
  });
}
