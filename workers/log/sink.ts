// One destination of the log: a form, a bounded queue, an outlet and retries. A write to a sink never waits and never fails.
// Lines that the outlet cannot take stay queued for a retry; dropped lines are counted.
import { setTimeout as pause } from 'node:timers/promises';
import type { LogRecord } from '../../shared/domain/status/log-record.js';
import type { Bounds } from './line-queue.js';
import { LineQueue, usualBounds } from './line-queue.js';
import type { Outlet } from './outlets/outlet.js';

/** Size of one write: a pipe buffer of Linux, which a reader that keeps up empties in one read. */
const batchCharacters = 65_536;
/** A full disk or a dead syslog daemon may last for days: retry soon at first, then rarely. */
const usualRetry: Retry = { firstMs: 1000, maxMs: 30_000 };

export interface Retry {
  readonly firstMs: number;
  readonly maxMs: number;
}

export interface SinkOptions {
  readonly outlet: Outlet;
  readonly form: (record: LogRecord) => string;
  /** Reports the state of this sink to the other sinks. Must not write to this sink. */
  readonly report: (level: LogRecord['level'], message: string) => void;
  readonly lostRecord: (message: string) => LogRecord;
  readonly bounds?: Bounds;
  readonly retry?: Retry;
}

export class Sink {
  readonly #options: SinkOptions;
  readonly #queue: LineQueue;
  readonly #retry: Retry;
  #pumping = false;
  #closed = false;
  #reopenWanted = false;
  /** Ends the pause before the next try. */
  #wakeUp = new AbortController();
  /** The current failure; undefined while the outlet works. */
  #failure: string | undefined;
  #overflowing = false;
  #totalLost = 0;
  readonly #idle: (() => void)[] = [];

  constructor(options: SinkOptions) {
    this.#options = options;
    this.#retry = options.retry ?? usualRetry;
    const { name } = options.outlet;
    options.outlet.onErrorOutput?.((text) => options.report('warning', `${name}: ${text}`));
    this.#queue = new LineQueue(options.bounds ?? usualBounds, batchCharacters, (count) =>
      options.form(
        options.lostRecord(
          `${String(count)} log lines lost: ${name} could not be written and the queue was full`,
        ),
      ),
    );
  }

  /** Lines that this sink has dropped in total. */
  get totalLost(): number {
    return this.#totalLost;
  }

  write(record: LogRecord): void {
    const lost = this.#queue.push(this.#options.form(record));
    this.#totalLost += lost;
    if (lost > 0 && !this.#overflowing) {
      this.#overflowing = true;
      const { name } = this.#options.outlet;
      this.#options.report(
        'warning',
        `${name} accepts no lines and its queue is full: the oldest lines are dropped. Check the program that reads it.`,
      );
    }
    void this.#pump();
  }

  /** The log file was moved away: closes it and opens it by name again, immediately. */
  reopen(): void {
    this.#reopenWanted = true;
    this.#wakeUp.abort();
    void this.#pump();
  }

  /** Resolves when all lines so far are written, or after `withinMs`. */
  async flush(withinMs: number): Promise<void> {
    if (!this.#pumping) return;
    const enough = new AbortController();
    await Promise.race([
      new Promise<void>((resolve) => void this.#idle.push(resolve)),
      pause(withinMs, undefined, { signal: enough.signal, ref: false }).catch(() => undefined),
    ]);
    enough.abort();
  }

  /** Tries once more to write the waiting lines, then closes the outlet. */
  async close(withinMs: number): Promise<void> {
    await this.flush(withinMs);
    this.#closed = true;
    this.#wakeUp.abort();
    this.#options.outlet.close();
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    let waitMs = this.#retry.firstMs;
    while (!this.#closed && (this.#reopenWanted || !this.#queue.empty)) {
      if (this.#reopenWanted) this.#options.outlet.reopen();
      this.#reopenWanted = false;
      const { taken, failure } = await this.#options.outlet.send(this.#queue.next());
      this.#queue.taken(taken);
      if (failure === null) {
        this.#recovered();
        waitMs = this.#retry.firstMs;
      } else {
        this.#failed(failure);
        await this.#wait(waitMs);
        waitMs = Math.min(waitMs * 2, this.#retry.maxMs);
      }
    }
    this.#pumping = false;
    for (const idle of this.#idle.splice(0)) idle();
  }

  async #wait(forMs: number): Promise<void> {
    this.#wakeUp = new AbortController();
    if (this.#closed || this.#reopenWanted) return;
    await pause(forMs, undefined, { signal: this.#wakeUp.signal }).catch(() => undefined);
  }

  #failed(failure: string): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    const { name } = this.#options.outlet;
    this.#options.report(
      'warning',
      `${name} cannot be written (${failure}). Its lines wait in memory; a full queue drops the oldest. The next attempts follow at most ${String(this.#retry.maxMs / 1000)} s apart.`,
    );
  }

  #recovered(): void {
    this.#overflowing = false;
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    this.#options.report('info', `${this.#options.outlet.name} can be written again.`);
  }
}
