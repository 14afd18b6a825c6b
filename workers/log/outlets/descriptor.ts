// Writes lines to a file descriptor from libuv's pool, one write at a time. A reader that reads nothing blocks one thread of
// that pool and never the event loop: pipes, sockets, terminals and files. It changes no flag of the descriptor, which the
// process that started the daemon shares.
import { write } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Outlet, Progress } from './outlet.js';
import { errorMessage } from '../../../shared/domain/base/error-message.js';

/** The pause before the next try, where another process made the descriptor non-blocking. */
const fullPauseMs = 50;

/** The position in a batch, kept between tries so that a partial line is continued and not repeated. */
export interface Position {
  /** Bytes of the first line of the next batch that are already written. */
  partial: number;
}

/** Standard error, as inherited. */
export function descriptorOutlet(name: string, descriptor: number): Outlet {
  const position: Position = { partial: 0 };
  return {
    name,
    send: (lines) => writeLines(descriptor, lines, position),
    reopen: () => undefined,
    close: () => undefined,
  };
}

/** Writes the lines, each with a line break, until all are written or an error other than a full pipe occurs. */
export async function writeLines(
  descriptor: number,
  lines: readonly string[],
  position: Position,
): Promise<Progress> {
  const pieces = lines.map((line) => Buffer.from(`${line}\n`));
  const bytes = Buffer.concat(pieces);
  let written = position.partial;
  let failure: string | null = null;
  while (written < bytes.length && failure === null) {
    const result = await writeOnce(descriptor, bytes, written);
    if (typeof result === 'number') written += result;
    else if (result.code === 'EAGAIN') await pause(fullPauseMs);
    else failure = errorMessage(result);
  }
  return progress(pieces, written, failure, position);
}

function writeOnce(
  descriptor: number,
  bytes: Buffer,
  offset: number,
): Promise<number | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    write(descriptor, bytes, offset, bytes.length - offset, null, (error, count) => {
      resolve(error ?? count);
    });
  });
}

function progress(
  pieces: readonly Buffer[],
  written: number,
  failure: string | null,
  position: Position,
): Progress {
  let taken = 0;
  let rest = written;
  for (const piece of pieces) {
    if (rest < piece.length) break;
    rest -= piece.length;
    taken += 1;
  }
  position.partial = rest;
  return { taken, failure };
}
