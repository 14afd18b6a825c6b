// One question at a time to a file that may not answer. A question that takes too long is given up together with all
// that wait behind it; until it has really ended no other is begun, so that it holds one thread of the pool and no more.

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

  /** `overdue` makes the error with which questions are given up. */
  constructor(mostMs: number, overdue: () => Error) {
    this.#mostMs = mostMs;
    this.#overdue = overdue;
  }

  /** Asks when its turn has come; the time it has begins then. */
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
