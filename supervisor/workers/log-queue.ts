// The supervisor's side of the log: a bounded queue towards the log process. Writing to it never waits and never fails.
import type { LogRecord } from '../../shared/domain/log-record.js';
import type { Outcome } from '../../shared/protocol/contract.js';

/** About two minutes of a noisy fleet; then the newest are dropped and counted, so that the beginning of the story stays. */
const maxQueueLength = 5_000;
/** One frame of at most this many records: the log process answers each, so that a slow one is noticed. */
const maxBatch = 200;
const writeDeadlineMs = 5_000;
/** After a batch that was not taken: a log process that died is back by then, one that is slow has had a pause. */
const retryMs = 1_000;

export type WriteRecords = (
  records: readonly LogRecord[],
  dropped: number,
  deadlineMs: number,
) => Promise<Outcome<unknown>>;

export class LogQueue {
  readonly #waiting: LogRecord[] = [];
  #dropped = 0;
  #write: WriteRecords | undefined;
  #inFlight: Promise<void> | undefined;

  /** Takes a record; it leaves when the log process is there and has taken the ones before. */
  push(record: LogRecord): void {
    if (this.#waiting.length >= maxQueueLength) this.#dropped += 1;
    else this.#waiting.push(record);
    // On the next turn: whoever says something on the way from a trigger to a command pays only for this line.
    if (this.#waiting.length === 1) setImmediate(() => this.#pump());
  }

  /** The log process is ready (again). */
  connect(write: WriteRecords): void {
    this.#write = write;
    this.#pump();
  }

  disconnect(): void {
    this.#write = undefined;
  }

  /** Settles when everything has been taken, or at the latest after `withinMs`. */
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
    const batch = this.#waiting.splice(0, maxBatch);
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#inFlight = this.#write(batch, dropped, writeDeadlineMs).then((outcome) => {
      this.#inFlight = undefined;
      if (outcome.ok) this.#pump();
      else {
        this.#requeue(batch, dropped);
        setTimeout(() => this.#pump(), retryMs).unref();
      }
    });
  }

  /** The log process went away with a batch: it is sent again to the next one; a line may then stand twice, but none is lost. */
  #requeue(batch: readonly LogRecord[], dropped: number): void {
    this.#dropped += dropped;
    const room = Math.max(0, maxQueueLength - this.#waiting.length);
    this.#dropped += Math.max(0, batch.length - room);
    this.#waiting.unshift(...batch.slice(0, room));
  }
}
