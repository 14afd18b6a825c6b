// One request at a time to a worker, and a second of rest after one that was not taken. Nothing waits for it, and it never throws.
import type { Clock } from '../../shared/runtime/clock.js';

/** While a worker refuses or is down: one local request each second. */
export const retryMs = 1_000;
/** A commit takes milliseconds; after this time the request is sent again, and storage recognises what it has committed. */
export const deadlineMs = 10_000;

/** Settles with whether the worker has taken it; never rejects. */
export type Request = () => Promise<boolean>;

export class Turns {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #next: () => Request | undefined;
  readonly #ended: () => void;
  #isInFlight = false;
  #dueMs = 0;

  /** `next`: what is to be sent now. `ended` is called after each request. */
  constructor(
    clock: Pick<Clock, 'monotonicMs'>,
    next: () => Request | undefined,
    ended: () => void = () => undefined,
  ) {
    this.#clock = clock;
    this.#next = next;
    this.#ended = ended;
  }

  get isInFlight(): boolean {
    return this.#isInFlight;
  }

  /** Something is being sent, or is to be sent. */
  get isBusy(): boolean {
    return this.#isInFlight || this.#next() !== undefined;
  }

  /** Call it when something is to be sent, and at every tick. */
  tick(): void {
    if (this.#isInFlight || this.#clock.monotonicMs() < this.#dueMs) return;
    const request = this.#next();
    if (request === undefined) return;
    this.#isInFlight = true;
    const end = (isTaken: boolean): void => {
      this.#isInFlight = false;
      if (!isTaken) this.#dueMs = this.#clock.monotonicMs() + retryMs;
    };
    // A bug in what handles an answer is logged as any rejection, and ends no queue.
    void request().then(
      (isTaken) => {
        end(isTaken);
        this.#ended();
        this.tick();
      },
      (error: unknown) => {
        end(false);
        throw error;
      },
    );
  }

  /** The worker is ready: what waited is sent now. */
  ready(): void {
    this.#dueMs = 0;
    this.tick();
  }
}
