// The local syslog socket, through one persistent `logger` child: Node has no Unix datagram sockets, and a native module
// for them could crash. A syslog daemon that hangs blocks the child and then the pipe to it, nothing else.
import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { loggerArguments } from '../syslog.js';
import { ErrorOutput } from './error-output.js';
import type { Outlet, Progress } from './outlet.js';
import { errorMessage } from '../../../shared/domain/base/error-message.js';

/** Longest part of the child's standard error that is kept. */
const maxLastOutputLength = 300;

/** `pid`: the PID in the messages. */
export function loggerChildOutlet(path: string, pid: number): Outlet {
  let child: Child | undefined;
  const errorOutput = new ErrorOutput('logger');
  const stop = (): void => {
    child?.finish();
    child = undefined;
  };
  return {
    name: `syslog at ${path}`,
    send: async (lines) => {
      // A child without a socket would lose the first lines before it ends.
      const failure = child?.ended ?? (await notFound(path));
      if (failure !== undefined) {
        stop();
        return { taken: 0, failure };
      }
      child ??= new Child(loggerArguments(path, pid), (text) => errorOutput.push(text));
      return child.feed(lines);
    },
    reopen: stop,
    close: () => {
      errorOutput.end();
      stop();
    },
    onErrorOutput: (listener) => errorOutput.onLine(listener),
  };
}

/** One `logger` process. Lines that it has read and not sent when it ends are lost: syslog has no acknowledgement. */
class Child {
  readonly #process: ChildProcessByStdio<Writable, null, Readable>;
  #lastOutput = '';
  #ended: string | undefined;
  #onEnd: ((why: string) => void) | undefined;

  constructor(loggerArguments: readonly string[], onChunk: (text: string) => void) {
    const command = ['--pdeathsig', 'KILL', '--', 'logger', ...loggerArguments];
    this.#process = spawn('setpriv', command, { stdio: ['pipe', 'ignore', 'pipe'] });
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#lastOutput = (this.#lastOutput + text).slice(-maxLastOutputLength);
      onChunk(text);
    });
    // The end of the child reports a broken pipe.
    this.#process.stdin.on('error', () => undefined);
    this.#process.once('error', (error) => this.#end(`logger cannot be started: ${errorMessage(error)}`));
    this.#process.once('close', (code) => {
      this.#end(`logger ended with code ${String(code)} ${this.#lastOutput.trim()}`.trim());
    });
  }

  /** Why it ended; undefined while it runs. */
  get ended(): string | undefined {
    return this.#ended;
  }

  feed(lines: readonly string[]): Promise<Progress> {
    return new Promise((resolve) => {
      this.#onEnd = (failure) => resolve({ taken: 0, failure });
      this.#process.stdin.write(lines.map((line) => `${line}\n`).join(''), (error) => {
        if (error === null || error === undefined) resolve({ taken: lines.length, failure: null });
      });
    });
  }

  /** At the end of its input the child sends the rest. If it cannot, it ends with this process (pdeathsig). */
  finish(): void {
    this.#process.stdin.end();
  }

  #end(why: string): void {
    this.#ended ??= why;
    this.#onEnd?.(this.#ended);
  }
}

async function notFound(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isSocket() ? undefined : `${path} is not a socket`;
  } catch (error) {
    return errorMessage(error);
  }
}
