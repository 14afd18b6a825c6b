// One authenticated connection and its commands, one at a time. Every command has a deadline. Everything a server does is a
// result, never an exception.
import type { Socket } from 'node:net';
import type { Client, ClientChannel } from 'ssh2';
import { MarkedLines } from './marked-lines.js';
import { OutputTail } from './output-tail.js';
import { lastWords } from './shell.js';

/** Whether the server has accepted the command; `asked`: it has not answered, and may run it. */
export type CommandAcceptance = 'no' | 'asked' | 'yes';

export type CommandEnd =
  | { readonly kind: 'exited'; readonly code: number }
  /** Ended by a signal on the server. */
  | { readonly kind: 'signalled'; readonly signal: string }
  /** The channel was closed without an exit status. */
  | { readonly kind: 'unknown' }
  /** The server refused to run it. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Not ended in time, or the connection was lost. */
  | { readonly kind: 'timeout' | 'lost'; readonly begun: CommandAcceptance };

export interface CommandResult {
  readonly end: CommandEnd;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

export interface CommandOrder {
  readonly text: string;
  /** Sent to the standard input of the command, which then closes. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** For a server that has not opened the channel by then, where that is sooner. */
  readonly beginMs?: number;
  /** The wait for the channel after the deadline: `maxDrainMs`, or less where less time is left. */
  readonly drainMs: number;
  /** Lines of the standard output that begin with `mark` are given to `take`, each as soon as it is complete, and are in no result. */
  readonly marked?: { readonly mark: string; readonly take: (line: string) => void };
}

/**
 * The wait for the channel of a command that was signalled at its deadline: a server that allows one channel at a time accepts
 * no further command before. The watchdog on the server (shell.ts) signals a second after the deadline and kills a second
 * later.
 */
export const maxDrainMs = 3_500;
/** A background process of a command may hold its output open. Do not wait for it after the end of the command. */
const lingeringMs = 300;
/**
 * A server that allows one channel at a time (MaxSessions 1) still counts a closed channel briefly. A refused channel is
 * requested again after these pauses.
 */
const channelWaitsMs: readonly number[] = [20, 50, 100, 200, 400];
/** From SIGTERM to SIGKILL. */
const killAfterMs = 500;

export class SshSession {
  readonly #client: Client;
  readonly #socket: Socket;
  #open = true;
  readonly #onLost = new Set<() => void>();

  constructor(client: Client, socket: Socket) {
    this.#client = client;
    this.#socket = socket;
    const lost = (): void => {
      this.#open = false;
      for (const onLost of [...this.#onLost]) onLost();
    };
    // The close that follows reports an error; without it a connection could stay half open.
    client.on('error', () => socket.destroy());
    client.on('end', () => socket.destroy());
    client.on('close', lost);
    socket.on('close', lost);
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** The addresses of the connection; null when it was lost before. */
  get ends(): { readonly local: string; readonly remote: string } | null {
    const { localAddress: local, remoteAddress: remote } = this.#socket;
    return local === undefined || remote === undefined ? null : { local, remote };
  }

  close(): void {
    this.#open = false;
    // Sends SSH_MSG_DISCONNECT where possible, without waiting for an answer.
    attempt(() => this.#client.end());
    const socket = this.#socket;
    setTimeout(() => socket.destroy(), 100).unref();
  }

  /** Runs one command. Never rejects; settles at the latest `drainMs` after its deadline. */
  run(order: CommandOrder): Promise<CommandResult> {
    const beganMs = performance.now();
    const stdout = new OutputTail(lastWords);
    const stderr = new OutputTail();
    const { marked } = order;
    const lines =
      marked === undefined ? null : new MarkedLines(marked.mark, marked.take, (chunk) => stdout.add(chunk));
    return new Promise((settle) => {
      let channel: ClientChannel | undefined;
      let exit: CommandEnd = { kind: 'unknown' };
      let overdue = false;
      let ended = false;
      let isAsked = false;
      const begun = (): CommandAcceptance => (channel !== undefined ? 'yes' : isAsked ? 'asked' : 'no');
      const timers: NodeJS.Timeout[] = [];
      const later = (ms: number, then: () => void): void => void timers.push(setTimeout(then, ms));
      const end = (result: CommandEnd): void => {
        if (ended) return;
        ended = true;
        timers.forEach(clearTimeout);
        this.#onLost.delete(lost);
        const durationMs = performance.now() - beganMs;
        lines?.end();
        settle({ end: result, stdout: stdout.text, stderr: stderr.text, durationMs });
      };
      const late = (): CommandEnd => ({ kind: 'timeout', begun: begun() });
      const lost = (): void => {
        const over = exit.kind !== 'unknown';
        end(overdue ? late() : over ? exit : { kind: 'lost', begun: begun() });
      };
      if (!this.#open) return end({ kind: 'lost', begun: 'no' });
      this.#onLost.add(lost);
      if (order.beginMs !== undefined)
        later(order.beginMs, () => {
          if (channel === undefined) end(late());
        });
      later(order.timeoutMs, () => {
        overdue = true;
        // Without a channel there is nothing to signal.
        if (channel === undefined) return end(late());
        const running = channel;
        attempt(() => running.signal('TERM'));
        later(killAfterMs, () => {
          attempt(() => running.signal('KILL'));
          attempt(() => running.close());
        });
        later(order.drainMs, () => end(late()));
      });

      const begin = (error: Error | boolean | undefined, opened: ClientChannel | undefined): void => {
        if (opened === undefined) {
          if (!this.#open) return lost();
          isAsked = false;
          const wait = error instanceof Error && 'reason' in error ? waits.shift() : undefined;
          if (wait !== undefined && !overdue) return later(wait, ask);
          const reason = error instanceof Error ? error.message : 'the server refuses to run commands';
          return end({ kind: 'refused', reason });
        }
        if (ended) return attempt(() => opened.close());
        channel = opened;
        opened.on('data', (chunk: Buffer) => (lines ?? stdout).add(chunk));
        opened.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
        opened.on('exit', (code: number | null, signal?: string) => {
          exit =
            code === null ? { kind: 'signalled', signal: signal ?? 'a signal' } : { kind: 'exited', code };
          later(lingeringMs, () => {
            attempt(() => opened.close());
            end(exit);
          });
        });
        // For example data after the end: a fault of the server; the deadline ends the command.
        opened.on('error', () => undefined);
        opened.stderr.on('error', () => undefined);
        opened.on('close', () => {
          // ssh2 closes the channels of a lost connection too.
          if (!overdue && exit.kind === 'unknown' && !this.#open) lost();
          else end(overdue ? late() : exit);
        });
        attempt(() => opened.end(order.input));
      };
      const waits = [...channelWaitsMs];
      const ask = (): void => {
        if (ended || overdue) return;
        try {
          isAsked = true;
          this.#client.exec(order.text, begin as (error: Error | undefined, channel: ClientChannel) => void);
        } catch {
          // "Not connected": the close follows.
          end({ kind: 'lost', begun: 'no' });
        }
      };
      ask();
    });
  }
}

/** ssh2 throws on calls after a lost connection; the close event reports the loss. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // The peer is gone.
  }
}
