// Runs one query at a time on a file that may not answer. A query that takes too long fails together with all that wait
// for it; no other starts until it has really ended, so that it blocks only one thread of the pool.

interface Question {
  readonly ask: () => Promise<void>;
  readonly giveUp: () => void;
}

export class SerialQueue {
  readonly #mostMs: number;
  readonly #overdue: () => Error;
  readonly #waiting: Question[] = [];
  #underWay: Question | undefined;
  #stuck = false;

  /** `overdue` creates the error of queries that took too long. */
  constructor(mostMs: number, overdue: () => Error) {
    this.#mostMs = mostMs;
    this.#overdue = overdue;
  }

  /** Runs the query when its turn comes; its time starts then. */
  take<T>(question: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(this.#overdue());
      if (this.#stuck) {
        giveUp();
        return;
      }
      this.#waiting.push({ ask: () => question().then(resolve, reject), giveUp });
      if (this.#underWay === undefined) void this.#next();
    });
  }

  async #next(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#underWay = next;
      const timer = setTimeout(() => this.#giveUpAll(), this.#mostMs);
      await next.ask();
      clearTimeout(timer);
      this.#stuck = false;
    }
    this.#underWay = undefined;
  }

  #giveUpAll(): void {
    this.#stuck = true;
    this.#underWay?.giveUp();
    for (const { giveUp } of this.#waiting.splice(0)) giveUp();
  }
}
