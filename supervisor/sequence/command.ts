// Runs one local command without a shell, in a process group of its own, with its output bounded, and never waits
// for it past its deadline: what cannot be killed is abandoned.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { CommandLine } from '../../shared/domain/plan.js';
import { commandPath } from '../command-path.js';

export type CommandOutcome =
  | { readonly kind: 'exited'; readonly code: number; readonly output: string }
  /** Ended by a signal that was not ours. */
  | { readonly kind: 'signalled'; readonly signal: string; readonly output: string }
  /** The program could not be started at all. */
  | { readonly kind: 'unstartable'; readonly message: string }
  | { readonly kind: 'abandoned'; readonly output: string };

/** Enough of a command's last words to act on; a command that floods costs no more than this. */
const longestOutput = 4096;

/**
 * Starts `command` before it returns; settles when the command has ended or `signal` is aborted, whichever comes first.
 * On abort the whole process group gets SIGKILL and is not waited for: a process in uninterruptible sleep must not hold us.
 */
export function runCommand(command: CommandLine, signal: AbortSignal): Promise<CommandOutcome> {
  const [program = '', ...args] = command;
  let output = '';
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      const env = { ...process.env, PATH: commandPath(process.env['PATH']) };
      child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', env });
    } catch (error) {
      // ENOMEM and its like are thrown; ENOENT and its like are told by 'error'.
      resolve({ kind: 'unstartable', message: error instanceof Error ? error.message : String(error) });
      return;
    }
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-longestOutput);
    };
    // Without free file descriptors there is neither a process nor a pipe to it.
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    const settle = (outcome: CommandOutcome) => {
      signal.removeEventListener('abort', abandon);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(outcome);
    };
    const abandon = () => {
      killGroup(child.pid);
      child.unref();
      settle({ kind: 'abandoned', output });
    };
    child.once('error', (error) => settle({ kind: 'unstartable', message: error.message }));
    // 'exit', not 'close': a grandchild that keeps the pipes open must not keep the step open. One turn later
    // what the command wrote last has been read.
    child.once('exit', (code, killedBy) => {
      setImmediate(() => settle(endOf(code, killedBy, output)));
    });
    if (signal.aborted) abandon();
    else signal.addEventListener('abort', abandon, { once: true });
  });
}

function endOf(code: number | null, killedBy: string | null, output: string): CommandOutcome {
  if (code === null) return { kind: 'signalled', signal: killedBy ?? 'unknown', output };
  return { kind: 'exited', code, output };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: the group is gone already, which is all that was wanted.
  }
}
