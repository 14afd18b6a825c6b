// Contains exceptions that a server can cause in the SSH library outside of any call: they must not prevent the commands to
// other servers. Logs such an error; the process continues. Every login and command has its own deadline, so nothing waits for
// the failed one. Any other error is a bug and ends the process.
import type { Logger } from '../../shared/runtime/log.js';
import { errorTrace } from '../../shared/domain/base/error-message.js';

export function containLibraryErrors(log: Logger): void {
  process.on('uncaughtException', (error: unknown) => {
    const stack = errorTrace(error);
    if (!isOfLibrary(stack)) {
      process.stderr.write(`${stack}\n`);
      process.exit(1);
    }
    log.error(`the data of a server caused an error in the SSH library: ${stack.slice(0, 1_000)}`);
  });
}

/** True when the library threw the error: the first stack frame outside Node is in it. */
export function isOfLibrary(stack: string): boolean {
  const place = stack.split('\n').find((line) => /^\s+at /.test(line) && !line.includes('node:'));
  return place?.includes('/node_modules/ssh2/') === true;
}
