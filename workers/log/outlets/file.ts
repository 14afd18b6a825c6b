// The log file: appended to, opened again on request (logrotate). A fault of the disk is a result, never an exception.
import { close, constants, open } from 'node:fs';
import type { Position } from './descriptor.js';
import { writeLines } from './descriptor.js';
import type { Outlet } from './outlet.js';
import { errorMessage } from '../../../shared/domain/base/error-message.js';

/** Readable by the group of administrators only: a log names users and services. */
const mode = 0o640;
/** Non-blocking: opening a FIFO fails instead of waiting for a reader without limit. */
const flags =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | constants.O_NOCTTY;

/** After these errors the same file continues; after any other its name may mean another file. */
const diskFull = /^(ENOSPC|EDQUOT)/;

export function fileOutlet(path: string): Outlet {
  let descriptor: number | undefined;
  const position: Position = { partial: 0 };
  const reopen = (): void => {
    // A failed close needs no action: the kernel has released the descriptor.
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
      const progress = await writeLines(descriptor, lines, position);
      if (progress.failure !== null && !diskFull.test(progress.failure)) reopen();
      return progress;
    },
    reopen,
    close: reopen,
  };
}

/** Root, who set the path, may write anywhere; this process may not. */
function whyClosed(error: Error): string {
  const refused = /^(EACCES|EPERM)/.test(error.message);
  const user = String(process.geteuid?.() ?? 0);
  return refused
    ? `${errorMessage(error)}; user ${user} writes the log and needs access: see docs/logging.md`
    : errorMessage(error);
}

function openFile(path: string): Promise<number | Error> {
  return new Promise((resolve) => {
    open(path, flags, mode, (error, descriptor) => {
      resolve(error ?? descriptor);
    });
  });
}
