// What a server can make the SSH library throw, far from any call of ours, must not cost the other servers their
// command: such an error is said and the process goes on. Every login and command has a deadline of its own, so that
// nothing waits for what the error cut off. Any other error is a bug of ours and ends the process, as everywhere.
import type { Logger } from '../../shared/runtime/log.js';
import { errorTrace } from '../../shared/domain/error-message.js';

export function containLibraryErrors(log: Logger): void {
  process.on('uncaughtException', (error: unknown) => {
    const stack = errorTrace(error);
    if (!isOfLibrary(stack)) {
      process.stderr.write(`${stack}\n`);
      process.exit(1);
    }
    log.error(`a server made the SSH library fail: ${stack.slice(0, 1_000)}`);
  });
}

/** True when the error was thrown by the library: the first place of the stack that is not Node's own is in it. */
export function isOfLibrary(stack: string): boolean {
  const place = stack.split('\n').find((line) => /^\s+at /.test(line) && !line.includes('node:'));
  return place?.includes('/node_modules/ssh2/') === true;
}
