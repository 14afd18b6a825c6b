// The runtime of a worker process: its port and how it ends.
import { Socket } from 'node:net';
import type { Port } from './port.js';
import { pipePort } from './pipe-port.js';
import { setV8Flags } from './v8-flags.js';

/** The link of a worker process, next to its standard streams. */
export const linkFileDescriptor = 3;
/** The environment variable that names the supervisor's process; supervisor-guard.ts reads it too. */
export const supervisorPidVariable = 'RIDETHROUGH_SUPERVISOR';

export interface Home {
  readonly port: Port;
  /** Ends the worker immediately; everything to keep was sent. */
  readonly end: () => void;
  /** For one of several workers of a process, which has its own heartbeat: marks this worker as the one that runs. */
  readonly activate?: () => void;
}

/** Called once, at the start of a worker. Throws when no supervisor started it. */
export function ownHome(): Home {
  if (process.env[supervisorPidVariable] === undefined)
    throw new Error(
      'a worker is started by the supervisor and does nothing by itself: run `ridethrough run`',
    );
  setV8Flags();
  // Workers act on their link, not on signals: a SIGTERM to the group must not end them before the supervisor does.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const)
    process.on(signal, () => undefined);
  const socket = new Socket({ fd: linkFileDescriptor, readable: true, writable: true });
  return {
    port: pipePort(socket),
    // process.exit can hang for ever behind a job in libuv's thread pool; a signal cannot.
    end: () => void process.kill(process.pid, 'SIGKILL'),
  };
}
