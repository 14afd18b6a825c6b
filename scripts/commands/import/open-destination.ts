// Where history goes: to the running daemon over its control socket, or, when none runs, to the storage worker that this
// program starts. Either way the storage worker alone writes the database.
import { randomUUID } from 'node:crypto';
import { ImportTargets } from '../../../shared/http/import-bodies.js';
import { ImportResult } from '../../../shared/protocol/history-import.js';
import { requestDaemon, socketOf } from '../control/control-socket.js';
import { exitCode } from '../usage.js';
import type { Destination, OpenedDestination } from './destination.js';
import { OwnStorage } from './own-storage.js';

/** A batch may wait for a slow disk (supervisor/workers/storage.ts). */
const answerMs = 40_000;
/** With these the batch was not taken because of what it is, and would not be the next time. */
const final = ['NOT_FOUND', 'CONFLICT', 'INVALID_REQUEST', 'PAYLOAD_TOO_LARGE', 'METHOD_NOT_ALLOWED'];

export async function openDestination(options: {
  readonly socket?: string;
  readonly config: string;
}): Promise<OpenedDestination> {
  const socket = await socketOf(options);
  if (!socket.ok) return socket;
  const reply = await requestDaemon(socket.path, 'import', ImportTargets);
  if (reply.ok) return { ok: true, destination: daemonAt(socket.path, reply.value) };
  if (reply.notRunning !== true || options.socket !== undefined)
    return { ok: false, message: reply.message, code: exitCode.failed };
  return OwnStorage.open(options.config);
}

function daemonAt(path: string, targets: ImportTargets): Destination {
  return {
    ...targets,
    name: 'the running daemon',
    close: () => Promise.resolve(),
    sender: () => {
      const id = randomUUID();
      return async (batch, isLast) => {
        const body = JSON.stringify({ id, isLast, batch });
        const options = { method: 'POST', withinMs: answerMs, body } as const;
        const reply = await requestDaemon(path, 'import', ImportResult, options);
        if (reply.ok) return reply;
        const mayRetry = reply.code === undefined || !final.includes(reply.code);
        return { ok: false, message: reply.message, mayRetry };
      };
    },
  };
}
