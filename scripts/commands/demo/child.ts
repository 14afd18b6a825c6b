// A child process of the demo, in its own process group: Ctrl-C reaches only the demo, which ends its children in order. The
// kernel terminates a child when the demo dies.
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const setpriv = '/usr/bin/setpriv';

export interface DemoChild {
  readonly process: ChildProcess;
  /** Resolves with the exit code; 1 for a child that was killed or could not be started. */
  readonly ended: Promise<number>;
  /** Sends SIGTERM, and SIGKILL after `killAfterMs`. */
  end(): Promise<number>;
}

export interface ChildOptions {
  /** Its path below `scripts` of this build. */
  readonly program: string;
  readonly args: readonly string[];
  readonly stdio: StdioOptions;
  readonly killAfterMs: number;
}

export function startChild({ program, args, stdio, killAfterMs }: ChildOptions): DemoChild {
  const file = fileURLToPath(new URL(`../../${program}`, import.meta.url));
  // SIGTERM: the daemon drains and ends its workers when the demo dies.
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
      const late = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      const code = await ended;
      clearTimeout(late);
      return code;
    },
  };
}
