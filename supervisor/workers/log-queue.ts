// The supervisor's bounded queue to the log process. A write never waits and never fails.
import type { LogRecord } from '../../shared/domain/log-record.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import { linkFailure } from '../../shared/protocol/contract.js';

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
/** After a batch that was not taken: a log process that died is back by then. */
const retryMs = 1_000;

export type WriteRecords = (
  records: readonly LogRecord[],
  dropped: number,
  deadlineMs: number,
) => Promise<Outcome<unknown>>;

export class LogQueue {
  readonly #waiting: LogRecord[] = [];
  #dropped = 0;
  /** One, while the log process cannot read something in a batch. */
  #atOnce = maxBatch;
  #write: WriteRecords | undefined;
  #inFlight: Promise<void> | undefined;

  /** Queues a record; records are sent in order. */
  push(record: LogRecord): void {
    if (this.#waiting.length >= maxQueueLength) this.#dropped += 1;
    else this.#waiting.push(record);
    // On the next turn of the loop, so that a log line on the path to a command costs only the push.
    if (this.#waiting.length === 1) setImmediate(() => this.#pump());
  }

  /** The log process is ready. */
  connect(write: WriteRecords): void {
    this.#write = write;
    this.#pump();
  }

  disconnect(): void {
    this.#write = undefined;
  }

  /** Settles when all records are taken, at the latest after `withinMs`. */
  async flush(withinMs: number): Promise<void> {
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
    const drained = async () => {
      while (this.#waiting.length > 0 && this.#write !== undefined) {
        this.#pump();
        await this.#inFlight;
      }
      await this.#inFlight;
    };
    await Promise.race([drained(), timeout]);
  }

  #pump(): void {
    if (this.#inFlight !== undefined || this.#write === undefined || this.#waiting.length === 0) return;
    const batch = this.#waiting.splice(0, this.#atOnce);
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#inFlight = this.#write(batch, dropped, writeDeadlineMs).then((outcome) => {
      this.#inFlight = undefined;
      const isUnreadable = !outcome.ok && outcome.error.code === linkFailure.invalid;
      this.#atOnce = isUnreadable ? 1 : maxBatch;
      if (isUnreadable) this.#isolate(batch, dropped);
      if (outcome.ok || isUnreadable) this.#pump();
      else {
        this.#requeue(batch, dropped);
        setTimeout(() => this.#pump(), retryMs).unref();
      }
    });
  }

  /** A record must not block all later ones: they are sent one by one, and one that is refused alone is dropped. */
  #isolate(batch: readonly LogRecord[], dropped: number): void {
    if (batch.length === 1) this.#dropped += dropped + 1;
    else this.#requeue(batch, dropped);
  }

  /** The log process died with a batch: the next one gets it again. A line may appear twice; none is lost. */
  #requeue(batch: readonly LogRecord[], dropped: number): void {
    this.#dropped += dropped;
    const room = Math.max(0, maxQueueLength - this.#waiting.length);
    this.#dropped += Math.max(0, batch.length - room);
    this.#waiting.unshift(...batch.slice(0, room));
  }
}
