// The two kinds of endpoints: a TCP port, and the control socket, which has its mode from the moment it exists.
import { renameSync, rmSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, isIPv6 } from 'node:net';
import { dirname, join } from 'node:path';
import type { Place } from './listener.js';

/** Owner and group may connect (specification/api.md#local-socket): the umask with which bind(2) creates the socket. */
const socketMode = 0o660;
/** Not longer than `control.sock`: the path may have 107 bytes (unix(7)). */
const besideName = 'new.sock';
/** A process that listens on an old socket answers immediately. */
const probeMs = 500;

const portAdvice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there; end it, or set another api.port',
  EACCES: 'this user may not; use a port above 1023',
  EADDRNOTAVAIL:
    'no interface of this machine has that address; correct api.bind, or wait until the interface is up',
};

export function tcpPlace(bind: string, port: number): Place {
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
  EACCES: 'this user may not write into its directory; the daemon prepares it at its start, so restart it',
  EINVAL: 'the path is longer than the 107 bytes a socket may have; shorten supervisor.runtime_directory',
};

/** Binds beside the name and renames over it: there is never a moment without a socket, nor one with a wrong mode. */
export function socketPlace(path: string): Place {
  return {
    name: path,
    open: async (server) => {
      const beside = join(dirname(path), besideName);
      try {
        checkPlace(path);
        if (await answers(path))
          throw new Error('another process answers on it; is the daemon running twice?');
        rmSync(beside, { force: true });
        const before = process.umask(0o777 & ~socketMode);
        try {
          await listening(server, () => server.listen(beside));
        } finally {
          process.umask(before);
        }
        renameSync(beside, path);
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

/** Throws when there is no place, or when something that is no socket stands there: it is somebody's, and not ours to remove. */
function checkPlace(path: string): void {
  // libuv reports a missing directory as one that may not be written to.
  if (statSync(dirname(path), { throwIfNoEntry: false }) === undefined)
    throw new Error('its directory is missing; the daemon makes it at its start, so restart it');
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isSocket())
    throw new Error('something that is no socket stands there; remove it');
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const done = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(probeMs, () => done(true));
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
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
  return `${isIPv6(bind) ? `[${bind}]` : bind}:${String(port)}`;
}
