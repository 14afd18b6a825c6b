// One authenticated connection and the commands run over it, one after another. Every command has a deadline; what a
// server does or leaves undone ends in a value, never in an exception.
import type { Socket } from 'node:net';
import type { Client, ClientChannel } from 'ssh2';
import { OutputTail } from './output.js';

export type CommandEnd =
  | { readonly kind: 'exited'; readonly code: number }
  /** Ended by a signal there. */
  | { readonly kind: 'signalled'; readonly signal: string }
  /** The channel was closed without a word on how the command ended. */
  | { readonly kind: 'unknown' }
  /** The server would not begin it. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Not over in its time; `begun`: the server had taken it. */
  | { readonly kind: 'timeout'; readonly begun: boolean }
  /** The connection is gone; `begun`: the server had taken it. */
  | { readonly kind: 'lost'; readonly begun: boolean };

export interface CommandResult {
  readonly end: CommandEnd;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

export interface CommandOrder {
  readonly text: string;
  /** Sent to the command's standard input, which is then closed. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** Less than the usual time for a command to go after its deadline, where no more is left. */
  readonly drainMs?: number;
}

/**
 * After its deadline a command is signalled, and this long its channel is waited for: a server that allows one channel
 * at a time takes no further command before. The watchdog on the server (shell.ts) comes a second after our deadline
 * and kills a second later.
 */
const usualPartingMs = 3_500;
/** A command may leave something behind that holds its output open; when the command is over, that is not waited for. */
const lingeringMs = 300;
/**
 * A server that allows one channel at a time (MaxSessions 1) counts the last one for a moment after it has closed it:
 * so it is asked again before its refusal is believed.
 */
const channelWaitsMs: readonly number[] = [20, 50, 100, 200, 400];
/** From the polite signal to the other. */
const killAfterMs = 500;

export class Session {
  readonly #client: Client;
  readonly #socket: Socket;
  #open = true;
  readonly #onLost = new Set<() => void>();

  constructor(client: Client, socket: Socket) {
    this.#client = client;
    this.#socket = socket;
    const lost = (): void => {
      this.#open = false;
      for (const tell of [...this.#onLost]) tell();
    };
    // Errors come with the close that follows them; a peer that only says goodbye leaves us half open.
    client.on('error', () => socket.destroy());
    client.on('end', () => socket.destroy());
    client.on('close', lost);
    socket.on('close', lost);
  }

  get isOpen(): boolean {
    return this.#open;
  }

  close(): void {
    this.#open = false;
    // With a word of goodbye where that is still possible, and never waiting for the answer.
    attempt(() => this.#client.end());
    const socket = this.#socket;
    setTimeout(() => socket.destroy(), 100).unref();
  }

  /** Runs one command. Never rejects; settles at the latest `partingMs` after its deadline. */
  run(order: CommandOrder): Promise<CommandResult> {
    const beganMs = performance.now();
    const stdout = new OutputTail();
    const stderr = new OutputTail();
    return new Promise((settle) => {
      let channel: ClientChannel | undefined;
      let exit: CommandEnd = { kind: 'unknown' };
      let overdue = false;
      let ended = false;
      const timers: NodeJS.Timeout[] = [];
      const later = (ms: number, then: () => void): void => void timers.push(setTimeout(then, ms));
      const end = (result: CommandEnd): void => {
        if (ended) return;
        ended = true;
        timers.forEach(clearTimeout);
        this.#onLost.delete(lost);
        const durationMs = performance.now() - beganMs;
        settle({ end: result, stdout: stdout.text, stderr: stderr.text, durationMs });
      };
      const late = (): CommandEnd => ({ kind: 'timeout', begun: channel !== undefined });
      const lost = (): void => {
        const over = exit.kind !== 'unknown';
        end(overdue ? late() : over ? exit : { kind: 'lost', begun: channel !== undefined });
      };
      if (!this.#open) return end({ kind: 'lost', begun: false });
      this.#onLost.add(lost);
      later(order.timeoutMs, () => {
        overdue = true;
        // A server that has not even opened a channel has nothing to be signalled.
        if (channel === undefined) return end(late());
        const running = channel;
        attempt(() => running.signal('TERM'));
        later(killAfterMs, () => {
          attempt(() => running.signal('KILL'));
          attempt(() => running.close());
        });
        later(order.drainMs ?? usualPartingMs, () => end(late()));
      });

      const begin = (error: Error | boolean | undefined, opened: ClientChannel | undefined): void => {
        if (opened === undefined) {
          if (!this.#open) return lost();
          const wait = error instanceof Error && 'reason' in error ? waits.shift() : undefined;
          if (wait !== undefined && !overdue) return later(wait, ask);
          const reason = error instanceof Error ? error.message : 'the server refuses to run commands';
          return end({ kind: 'refused', reason });
        }
        if (ended) return attempt(() => opened.close());
        channel = opened;
        opened.on('data', (chunk: Buffer) => stdout.add(chunk));
        opened.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
        opened.on('exit', (code: number | null, signal?: string) => {
          exit =
            code === null ? { kind: 'signalled', signal: signal ?? 'a signal' } : { kind: 'exited', code };
          later(lingeringMs, () => {
            attempt(() => opened.close());
            end(exit);
          });
        });
        // Data after its end, for one: a server's fault, which ends with the command's own time.
        opened.on('error', () => undefined);
        opened.stderr.on('error', () => undefined);
        opened.on('close', () => {
          // ssh2 closes the channels of a lost connection as well.
          if (!overdue && exit.kind === 'unknown' && !this.#open) lost();
          else end(overdue ? late() : exit);
        });
        attempt(() => opened.end(order.input));
      };
      const waits = [...channelWaitsMs];
      const ask = (): void => {
        if (ended || overdue) return;
        try {
          this.#client.exec(order.text, begin as (error: Error | undefined, channel: ClientChannel) => void);
        } catch {
          // "Not connected": the close is on its way.
          end({ kind: 'lost', begun: false });
        }
      };
      ask();
    });
  }
}

/** ssh2 throws when it is asked for something after the connection went; what that means, the close tells. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // Nothing is lost: nobody is there to hear it.
  }
}
