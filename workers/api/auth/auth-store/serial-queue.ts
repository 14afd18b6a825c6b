// Runs one query at a time on a file that may not answer. A query that takes too long fails together with all that wait for it.
// No other query starts until it has ended, so that it blocks only one thread of the pool.

interface Query {
  readonly run: () => Promise<void>;
  readonly giveUp: () => void;
}

export class SerialQueue {
  readonly #maxMs: number;
  readonly #timeoutError: () => Error;
  readonly #waiting: Query[] = [];
  #running: Query | undefined;
  #stuck = false;

  /** `overdue` creates the error of queries that took too long. */
  constructor(maxMs: number, timeoutError: () => Error) {
    this.#maxMs = maxMs;
    this.#timeoutError = timeoutError;
  }

  /** Runs the query after the earlier ones; its time starts then. */
  take<T>(query: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(this.#timeoutError());
      if (this.#stuck) {
        giveUp();
        return;
      }
      this.#waiting.push({ run: () => query().then(resolve, reject), giveUp });
      if (this.#running === undefined) void this.#next();
    });
  }

  async #next(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#running = next;
      const timer = setTimeout(() => this.#giveUpAll(), this.#maxMs);
      await next.run();
      clearTimeout(timer);
      this.#stuck = false;
    }
    this.#running = undefined;
  }

  #giveUpAll(): void {
    this.#stuck = true;
    this.#running?.giveUp();
    for (const { giveUp } of this.#waiting.splice(0)) giveUp();
  }
}
