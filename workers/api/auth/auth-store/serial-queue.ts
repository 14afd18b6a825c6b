// Runs one query at a time on a file that may not answer. A query that takes too long, or fails late, fails together with all
// that wait for it. No other query starts until it has ended, so that it blocks only one thread of the pool.

interface Query {
  /** Resolves with whether it has succeeded. */
  readonly run: () => Promise<boolean>;
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
      const run = (): Promise<boolean> => {
        const answer = query();
        answer.then(resolve, reject);
        return answer.then(
          () => true,
          () => false,
        );
      };
      this.#waiting.push({ run, giveUp });
      if (this.#running === undefined) void this.#next();
    });
  }

  async #next(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#running = next;
      let isLate = false;
      const late = setTimeout(() => (isLate = true), this.#maxMs / 2);
      const timer = setTimeout(() => this.#giveUpAll(), this.#maxMs);
      // Of a locked file: each of those that wait would wait as long again.
      if (!(await next.run()) && isLate) this.#giveUpWaiting();
      clearTimeout(late);
      clearTimeout(timer);
      this.#stuck = false;
    }
    this.#running = undefined;
  }

  #giveUpAll(): void {
    this.#stuck = true;
    this.#running?.giveUp();
    this.#giveUpWaiting();
  }

  #giveUpWaiting(): void {
    for (const { giveUp } of this.#waiting.splice(0)) giveUp();
  }
}
