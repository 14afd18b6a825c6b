// Runs one local command in its own process group, without interpreting its arguments, with bounded output. Never waits
// past the deadline: a process that cannot be killed is abandoned.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { finished } from 'node:stream';
import { errorMessage } from '../../shared/domain/base/error-message.js';
import type { CommandLine } from '../../shared/domain/commands/command-line.js';
import { commandPath } from '../../shared/runtime/search-path.js';
import { launchCommand, startFailure } from './launcher.js';

export type CommandOutcome =
  | { readonly kind: 'exited'; readonly code: number; readonly output: string }
  /** Ended by a signal from elsewhere. */
  | { readonly kind: 'signalled'; readonly signal: string; readonly output: string }
  /** The program could not be started. */
  | { readonly kind: 'unstartable'; readonly message: string }
  | { readonly kind: 'abandoned'; readonly output: string };

/**
 * Which output is kept. `tail`: the end of both streams. `listing`: the beginning of standard output of a command that
 * exits 0, and the tail of one that does not. `throttled`: the tail of a command that may write without end: it waits while it
 * writes faster than it is read.
 */
export type OutputMode = 'tail' | 'listing' | 'throttled';

export type RunCommand = (
  command: CommandLine,
  signal: AbortSignal,
  mode?: OutputMode,
  /** In place of the environment of the daemon. */
  environment?: Readonly<Record<string, string>>,
) => Promise<CommandOutcome>;

/** Enough for the reason of a failure. */
const maxTailChars = 4096;
/** Enough for two thousand containers with their names. */
export const maxListingChars = 262_144;
/** 1.3 MB a second at most: a script of any use is not slowed, and one that floods costs the supervisor nothing. */
const throttleMs = 50;
const throttledChars = 65_536;
/** A grandchild may keep the pipe of a listing open; the output of the command itself has been read long before. */
const listingReadMs = 250;

/**
 * That of the daemon. Docker means the engine of this machine: a context that root has chosen (`docker context use`) may name that of
 * another one. What the unit of the daemon sets counts.
 */
export function environmentOf(
  command: CommandLine,
  own: NodeJS.ProcessEnv = process.env,
  isRoot = process.getuid?.() === 0,
): NodeJS.ProcessEnv {
  const isChosen = own['DOCKER_HOST'] !== undefined || own['DOCKER_CONTEXT'] !== undefined;
  const isDocker = command.some((word) => /^(?:.*\/)?docker(?:-compose)?$/.test(word));
  return {
    ...own,
    PATH: commandPath(own['PATH']),
    ...(isRoot && isDocker && !isChosen ? { DOCKER_CONTEXT: 'default' } : {}),
  };
}

/**
 * Starts `command` before it returns. Settles when the command has ended or `signal` is aborted, whichever is first. On
 * abort the process group gets SIGKILL and is not waited for: it may be in uninterruptible sleep.
 */
export function runCommand(
  command: CommandLine,
  signal: AbortSignal,
  mode: OutputMode = 'tail',
  environment?: Readonly<Record<string, string>>,
): Promise<CommandOutcome> {
  const { file, args } = launchCommand(command);
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      const env = environment ?? environmentOf(command);
      child = spawn(file, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', env });
    } catch (error) {
      // ENOMEM and similar are thrown; ENOENT and similar come as 'error'.
      resolve({ kind: 'unstartable', message: errorMessage(error) });
      return;
    }
    const captured = new CapturedOutput(mode);
    // Without free file descriptors there is no process and no pipe.
    child.stdout?.setEncoding('utf8').on('data', (text: string) => captured.stdout(text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => captured.stderr(text));
    const stopThrottle = mode === 'throttled' ? throttle([child.stdout, child.stderr]) : () => undefined;
    const settle = (outcome: CommandOutcome) => {
      stopThrottle();
      signal.removeEventListener('abort', abandon);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(outcome);
    };
    const abandon = () => {
      killGroup(child.pid);
      child.unref();
      settle({ kind: 'abandoned', output: captured.tail });
    };
    child.once('error', (error) => settle({ kind: 'unstartable', message: error.message }));
    // 'exit', not 'close': a grandchild that keeps the pipes open must not keep the step open.
    child.once('exit', (code, killedBy) => {
      const end = () => settle(endOf(code, killedBy, captured));
      stopThrottle();
      // Its end may be seen in the turn of another one's, before its last output: the next turn reads that.
      const endOnceRead = () => setImmediate(() => setImmediate(end));
      if (mode !== 'tail' && child.stdout !== null) onceRead(child.stdout, endOnceRead);
      else endOnceRead();
    });
    if (signal.aborted) abandon();
    else signal.addEventListener('abort', abandon, { once: true });
  });
}

/** The bounded output of a command. */
class CapturedOutput {
  readonly #mode: OutputMode;
  #tail = '';
  #listing = '';

  constructor(mode: OutputMode) {
    this.#mode = mode;
  }

  stdout(text: string): void {
    if (this.#mode === 'listing') this.#listing = (this.#listing + text).slice(0, maxListingChars);
    this.stderr(text);
  }

  stderr(text: string): void {
    this.#tail = (this.#tail + text).slice(-maxTailChars);
  }

  get tail(): string {
    return this.#tail;
  }

  outputFor(code: number): string {
    return this.#mode === 'listing' && code === 0 ? this.#listing : this.#tail;
  }
}

/** Pauses a stream after so much in a period; the returned function ends it, and the rest is read. */
function throttle(streams: readonly (NodeJS.ReadableStream | null)[]): () => void {
  let left = throttledChars;
  const resume = (): void => {
    left = throttledChars;
    for (const stream of streams) stream?.resume();
  };
  const count = (text: string): void => {
    left -= text.length;
    if (left < 0) for (const stream of streams) stream?.pause();
  };
  for (const stream of streams) stream?.on('data', count);
  const timer = setInterval(resume, throttleMs);
  return () => {
    clearInterval(timer);
    resume();
  };
}

function onceRead(stream: NodeJS.ReadableStream, then: () => void): void {
  const timeout = setTimeout(then, listingReadMs);
  finished(stream, () => {
    clearTimeout(timeout);
    then();
  });
}

function endOf(code: number | null, killedBy: string | null, captured: CapturedOutput): CommandOutcome {
  if (code === null) return { kind: 'signalled', signal: killedBy ?? 'unknown', output: captured.tail };
  const message = startFailure(code, captured.tail);
  if (message !== undefined) return { kind: 'unstartable', message };
  return { kind: 'exited', code, output: captured.outputFor(code) };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: the group has already ended.
  }
}
