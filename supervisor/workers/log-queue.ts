// The supervisor's bounded queue to the log process. A write never waits and never fails.
import type { LogRecord } from '../../shared/domain/status/log-record.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import { failureOf, linkFailure } from '../../shared/protocol/contract.js';
import { systemClock } from '../../shared/runtime/clock.js';
import { AppendQueue } from '../queues/append-queue.js';
import { retryMs, Turns } from '../queues/turns.js';

/**
 * About two minutes of a large fleet. Beyond it the newest are dropped and counted, so that the cause of a fault stays.
 */
const maxQueueLength = 5_000;
/**
 * Records in one frame, which is short enough also when every character is escaped (33 kB a record). The log process answers
 * each frame, so that a slow one is noticed.
 */
const maxBatch = 100;
const writeDeadlineMs = 5_000;

export type WriteRecords = (
  records: readonly LogRecord[],
  dropped: number,
  deadlineMs: number,
) => Promise<Outcome<unknown>>;

export class LogQueue {
  #dropped = 0;
  #write: WriteRecords | undefined;
  #drained: () => void = () => undefined;
  readonly #waiting = new AppendQueue<LogRecord>({
    perRequest: maxBatch,
    send: (records) => this.#send(records),
    dropped: () => (this.#dropped += 1),
  });
  readonly #turns = new Turns(
    systemClock,
    () => (this.#write === undefined ? undefined : this.#waiting.next()),
    () => {
      if (this.#waiting.length === 0) this.#drained();
    },
  );

  /** Queues a record; records are sent in order. */
  push(record: LogRecord): void {
    if (this.#waiting.length >= maxQueueLength) this.#dropped += 1;
    else this.#waiting.push(record);
    // On the next turn of the loop, so that a log line on the path to a command costs only the push.
    if (this.#waiting.length === 1) setImmediate(() => this.#turns.tick());
  }

  /** The log process is ready. */
  connect(write: WriteRecords): void {
    this.#write = write;
    this.#turns.ready();
  }

  disconnect(): void {
    this.#write = undefined;
    this.#drained();
  }

  /** Settles when all records are taken, at the latest after `withinMs`. */
  async flush(withinMs: number): Promise<void> {
    if (this.#waiting.length === 0 || this.#write === undefined) return;
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
      setTimeout(resolve, withinMs).unref();
      this.#turns.ready();
    });
  }

  /** A log process that died with a batch gets it again when it is back: a line may appear twice; none is lost. */
  async #send(records: readonly LogRecord[]): Promise<Outcome<unknown>> {
    const dropped = this.#dropped;
    this.#dropped = 0;
    const outcome = await (this.#write?.(records, dropped, writeDeadlineMs) ??
      failureOf(linkFailure.gone, ''));
    if (outcome.ok) return outcome;
    this.#dropped += dropped;
    setTimeout(() => this.#turns.ready(), retryMs).unref();
    return outcome;
  }
}
