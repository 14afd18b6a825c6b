// A program the demo starts: in a group of its own, so that Ctrl-C reaches the demo alone and it ends them in order; dead
// with the demo whatever becomes of that.
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const setpriv = '/usr/bin/setpriv';

export interface Child {
  readonly process: ChildProcess;
  /** Its exit code once it has ended; 1 for one that was killed or could not be started. */
  readonly ended: Promise<number>;
  /** SIGTERM, and SIGKILL for what does not end within its patience. */
  end(): Promise<number>;
}

export interface ChildOptions {
  /** Its path below `scripts` of this build. */
  readonly program: string;
  readonly args: readonly string[];
  readonly stdio: StdioOptions;
  readonly patienceMs: number;
}

export function startChild({ program, args, stdio, patienceMs }: ChildOptions): Child {
  const file = fileURLToPath(new URL(`../../${program}`, import.meta.url));
  // SIGTERM: a daemon that loses its demo drains, and its workers end with it.
  const words = ['--pdeathsig', 'TERM', process.execPath, file, ...args];
  const child = spawn(setpriv, words, { stdio, detached: true });
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
  return {
    process: child,
    ended,
    end: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      const code = await ended;
      clearTimeout(late);
      return code;
    },
  };
}
