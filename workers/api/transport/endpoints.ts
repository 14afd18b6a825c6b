// The two kinds of endpoints: a TCP port, and the control socket, which has its mode from its creation.
import { renameSync, rmSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { Endpoint } from './listener.js';

/** Owner and group may connect (specification/api.md#local-socket): the umask with which bind(2) creates the socket. */
const socketMode = 0o660;
/** Not longer than `control.sock`: the path may have 107 bytes (unix(7)). */
const temporaryName = 'new.sock';
/** A process that listens on an old socket answers immediately. */
const probeMs = 500;

const portAdvice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens on it; end that program, or set another api.port',
  EACCES: 'this user may not listen on it; use a port above 1023',
  EADDRNOTAVAIL:
    'no interface of this machine has that address; correct api.bind, or wait until the interface is up',
};

export function tcpEndpoint(bind: string, port: number): Endpoint {
  const name = shown(bind, port);
  return {
    name,
    open: async (server) => {
      try {
        await listening(server, () => server.listen({ host: bind, port, exclusive: true }));
      } catch (error) {
        throw new Error(`cannot listen on ${name}: ${advice(error, portAdvice)}. Trying again.`, {
          cause: error,
        });
      }
      return shown(bind, (server.address() as AddressInfo).port);
    },
  };
}

const socketAdvice: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write to its directory; the daemon creates that at start: restart it',
  EINVAL: 'the path is longer than 107 bytes, the limit of a socket; shorten supervisor.runtime_directory',
};

/** Binds under a temporary name and renames it: the path always has a socket with the right mode. */
export function socketEndpoint(path: string): Endpoint {
  return {
    name: path,
    open: async (server) => {
      const temporaryPath = join(dirname(path), temporaryName);
      try {
        checkSocketPath(path);
        if (await answers(path))
          throw new Error('another process listens on it; check whether the daemon runs twice');
        rmSync(temporaryPath, { force: true });
        const before = process.umask(0o777 & ~socketMode);
        try {
          await listening(server, () => server.listen(temporaryPath));
        } finally {
          process.umask(before);
        }
        renameSync(temporaryPath, path);
      } catch (error) {
        throw new Error(
          `cannot open the control socket ${path}: ${advice(error, socketAdvice)}. Trying again.`,
          {
            cause: error,
          },
        );
      }
      return path;
    },
  };
}

/** Throws when the directory is missing or the path is not a socket; the latter is never removed. */
function checkSocketPath(path: string): void {
  // libuv reports a missing directory as one that may not be written to.
  if (statSync(dirname(path), { throwIfNoEntry: false }) === undefined)
    throw new Error('its directory does not exist; the daemon creates that at start: restart it');
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isSocket())
    throw new Error('the path exists and is not a socket; remove it');
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(probeMs, () => settle(true));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

function listening(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    listen();
  });
}

function advice(error: unknown, known: Readonly<Record<string, string>>): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return known[code ?? ''] ?? message;
}

function shown(bind: string, port: number): string {
  // Only an IPv6 address has a colon; the pattern of isIPv6 takes 10 ms to compile.
  return `${bind.includes(':') ? `[${bind}]` : bind}:${String(port)}`;
}
