// The local syslog socket through one persistent `logger` child: Node has no datagram sockets of that kind, and a native
// module for them is a way to crash. A syslog daemon that stands still stops the child, then the pipe to it, nothing else.
import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { loggerArguments } from '../syslog.js';
import { Complaints } from './complaints.js';
import type { Outlet, Progress } from './outlet.js';
import { errorMessage } from '../../../shared/domain/error-message.js';

/** What is kept of the child's last words. */
const longestLastWords = 300;

/** `pid` is the one the messages name. */
export function loggerChildOutlet(path: string, pid: number): Outlet {
  let child: Child | undefined;
  const complaints = new Complaints('logger');
  const stop = (): void => {
    child?.finish();
    child = undefined;
  };
  return {
    name: `syslog at ${path}`,
    send: async (lines) => {
      // A child started on a missing socket would swallow the first lines while it dies.
      const failure = child?.ended ?? (await notThere(path));
      if (failure !== undefined) {
        stop();
        return { taken: 0, failure };
      }
      child ??= new Child(loggerArguments(path, pid), (text) => complaints.said(text));
      return child.feed(lines);
    },
    reopen: stop,
    close: () => {
      complaints.end();
      stop();
    },
    onComplaint: (listener) => complaints.tellTo(listener),
  };
}

/** One life of `logger`. What it has read and not sent when it ends is lost; syslog's own protocol has no answer. */
class Child {
  readonly #process: ChildProcessByStdio<Writable, null, Readable>;
  #lastWords = '';
  #ended: string | undefined;
  #onEnd: ((why: string) => void) | undefined;

  constructor(loggerArguments: readonly string[], complained: (text: string) => void) {
    const command = ['--pdeathsig', 'KILL', '--', 'logger', ...loggerArguments];
    this.#process = spawn('setpriv', command, { stdio: ['pipe', 'ignore', 'pipe'] });
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-longestLastWords);
      complained(text);
    });
    // A broken pipe is told by the end of the child.
    this.#process.stdin.on('error', () => undefined);
    this.#process.once('error', (error) => this.#end(`logger cannot be started: ${errorMessage(error)}`));
    this.#process.once('close', (code) => {
      this.#end(`logger ended with code ${String(code)} ${this.#lastWords.trim()}`.trim());
    });
  }

  /** Why it is gone; undefined while it runs. */
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

  /** End of input lets it send what it holds; if it cannot, it goes with this process (pdeathsig). */
  finish(): void {
    this.#process.stdin.end();
  }

  #end(why: string): void {
    this.#ended ??= why;
    this.#onEnd?.(this.#ended);
  }
}

async function notThere(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isSocket() ? undefined : `${path} is not a socket`;
  } catch (error) {
    return errorMessage(error);
  }
}
