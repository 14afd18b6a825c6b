// Runs one local command without interpreting any of it, in a process group of its own, with its output bounded, and
// never waits for it past its deadline: what cannot be killed is abandoned.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { finished } from 'node:stream';
import type { CommandLine } from '../../shared/domain/plan.js';
import { errorMessage } from '../../shared/domain/error-message.js';
import { commandPath } from './search-path.js';
import { launched, unstartable } from './launcher.js';

export type CommandOutcome =
  | { readonly kind: 'exited'; readonly code: number; readonly output: string }
  /** Ended by a signal that was not ours. */
  | { readonly kind: 'signalled'; readonly signal: string; readonly output: string }
  /** The program could not be started at all. */
  | { readonly kind: 'unstartable'; readonly message: string }
  | { readonly kind: 'abandoned'; readonly output: string };

/**
 * What is kept of a command's output. `lastWords`: the end of both streams. `listing`: the beginning of standard output,
 * for a command that exits 0; the last words of one that does not.
 */
export type Keep = 'lastWords' | 'listing';

export type RunCommand = (command: CommandLine, signal: AbortSignal, keep?: Keep) => Promise<CommandOutcome>;

/** Enough of a command's last words to act on; a command that floods costs no more than this. */
const longestOutput = 4096;
/** Two thousand containers with their names. */
const longestListing = 262_144;
/** A grandchild may keep the pipe of a listing open; what the command itself wrote has been read long before. */
const listingReadMs = 250;

/**
 * Starts `command` before it returns; settles when the command has ended or `signal` is aborted, whichever comes first.
 * On abort the whole process group gets SIGKILL and is not waited for: a process in uninterruptible sleep must not hold us.
 */
export function runCommand(
  command: CommandLine,
  signal: AbortSignal,
  keep: Keep = 'lastWords',
): Promise<CommandOutcome> {
  const { file, args } = launched(command);
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      const env = { ...process.env, PATH: commandPath(process.env['PATH']) };
      child = spawn(file, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', env });
    } catch (error) {
      // ENOMEM and its like are thrown; ENOENT and its like are told by 'error'.
      resolve({ kind: 'unstartable', message: errorMessage(error) });
      return;
    }
    const words = new Words(keep);
    // Without free file descriptors there is neither a process nor a pipe to it.
    child.stdout?.setEncoding('utf8').on('data', (text: string) => words.said(text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => words.complained(text));
    const settle = (outcome: CommandOutcome) => {
      signal.removeEventListener('abort', abandon);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(outcome);
    };
    const abandon = () => {
      killGroup(child.pid);
      child.unref();
      settle({ kind: 'abandoned', output: words.last });
    };
    child.once('error', (error) => settle({ kind: 'unstartable', message: error.message }));
    // 'exit', not 'close': a grandchild that keeps the pipes open must not keep the step open.
    child.once('exit', (code, killedBy) => {
      const end = () => settle(endOf(code, killedBy, words));
      if (keep === 'listing' && child.stdout !== null) whenRead(child.stdout, end);
      // One turn later what the command wrote last has been read.
      else setImmediate(end);
    });
    if (signal.aborted) abandon();
    else signal.addEventListener('abort', abandon, { once: true });
  });
}

/** What a command has written, within bounds. */
class Words {
  readonly #keep: Keep;
  #last = '';
  #listing = '';

  constructor(keep: Keep) {
    this.#keep = keep;
  }

  said(text: string): void {
    if (this.#keep === 'listing') this.#listing = (this.#listing + text).slice(0, longestListing);
    this.complained(text);
  }

  complained(text: string): void {
    this.#last = (this.#last + text).slice(-longestOutput);
  }

  get last(): string {
    return this.#last;
  }

  after(code: number): string {
    return this.#keep === 'listing' && code === 0 ? this.#listing : this.#last;
  }
}

function whenRead(stream: NodeJS.ReadableStream, then: () => void): void {
  const late = setTimeout(then, listingReadMs);
  finished(stream, () => {
    clearTimeout(late);
    then();
  });
}

function endOf(code: number | null, killedBy: string | null, words: Words): CommandOutcome {
  if (code === null) return { kind: 'signalled', signal: killedBy ?? 'unknown', output: words.last };
  const message = unstartable(code, words.last);
  if (message !== undefined) return { kind: 'unstartable', message };
  return { kind: 'exited', code, output: words.after(code) };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: the group is gone already, which is all that was wanted.
  }
}
