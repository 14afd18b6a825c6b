// The log file: appended to, opened again when told (logrotate). Whatever is wrong with the disk is an answer, never an end.
import { close, constants, open } from 'node:fs';
import type { Position } from './descriptor.js';
import { pour } from './descriptor.js';
import type { Outlet } from './outlet.js';
import { errorMessage } from '../../../shared/domain/error-message.js';

/** Readable by the administrators' group, by nobody else: a log tells who works here and what runs. */
const mode = 0o640;
/** Non-blocking, so that a path that turns out to be a FIFO fails instead of waiting for its reader for ever. */
const flags =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | constants.O_NOCTTY;

/** The same file goes on where it stopped; after anything else its name may mean another one. */
const diskFull = /^(ENOSPC|EDQUOT)/;

export function fileOutlet(path: string): Outlet {
  let descriptor: number | undefined;
  const position: Position = { partial: 0 };
  const reopen = (): void => {
    // A failed close leaves nothing to act on: the kernel has released the descriptor all the same.
    if (descriptor !== undefined) close(descriptor, () => undefined);
    descriptor = undefined;
    position.partial = 0;
  };
  return {
    name: `the log file ${path}`,
    send: async (lines) => {
      if (descriptor === undefined) {
        const opened = await openFile(path);
        if (typeof opened !== 'number') return { taken: 0, failure: whyClosed(opened) };
        descriptor = opened;
      }
      const progress = await pour(descriptor, lines, position);
      if (progress.failure !== null && !diskFull.test(progress.failure)) reopen();
      return progress;
    },
    reopen,
    close: reopen,
  };
}

/** Whoever set the path did it as root, who may write anywhere; this process may not. */
function whyClosed(error: Error): string {
  const refused = /^(EACCES|EPERM)/.test(error.message);
  const user = String(process.geteuid?.() ?? 0);
  return refused
    ? `${errorMessage(error)}; the log is written by user ${user}, who must be let in: see docs/logging.md`
    : errorMessage(error);
}

function openFile(path: string): Promise<number | Error> {
  return new Promise((resolve) => {
    open(path, flags, mode, (error, descriptor) => {
      resolve(error ?? descriptor);
    });
  });
}
