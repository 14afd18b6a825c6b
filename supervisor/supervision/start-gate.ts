// Limits how many worker threads start at the same time, and chooses the next. If a fleet started all at once, every
// thread would be late and its host silent; all would be killed and start again together.

import type { StartPriority } from './worker-spec.js';

/**
 * A start keeps a core busy for some 50 ms. As many as there are host processes: a host then relays no more than while
 * its threads poll.
 */
const width = 4;
/**
 * Every fourth turn goes to the longest waiting, so that urgent ones that never become ready do not block the others.
 */
const fairTurn = 4;
/** A thread is up within 0.1 s. One that takes this long may be stuck and gives up its turn. */
const patienceMs = 1_000;

interface Waiting {
  readonly starter: object;
  readonly startPriority: StartPriority;
  readonly begin: () => void;
}

export class StartGate {
  readonly #nowMs: () => number;
  /** In order of arrival. */
  readonly #waiting: Waiting[] = [];
  /** Those that are starting, and since when. */
  readonly #starting = new Map<object, number>();
  #turns = 0;

  /** `nowMs`: awake time, so that a resume from suspend does not expire every turn. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Calls `begin` at the starter's turn, synchronously while there is room. */
  enter(starter: object, startPriority: StartPriority, begin: () => void): void {
    this.#waiting.push({ starter, startPriority, begin });
    this.#admit();
  }

  /** `starter` is up, lost or stopped. */
  leave(starter: object): void {
    const place = this.#waiting.findIndex((waiting) => waiting.starter === starter);
    if (place !== -1) this.#waiting.splice(place, 1);
    if (this.#starting.delete(starter)) this.#admit();
  }

  tick(): void {
    const now = this.#nowMs();
    for (const [starter, sinceMs] of this.#starting) if (now - sinceMs >= patienceMs) this.leave(starter);
  }

  #admit(): void {
    while (this.#starting.size < width) {
      const next = this.#next();
      if (next === undefined) return;
      this.#starting.set(next.starter, this.#nowMs());
      next.begin();
    }
  }

  /** The first of those with the most urgent priority. */
  #next(): Waiting | undefined {
    if (this.#waiting.length === 0) return undefined;
    this.#turns += 1;
    if (this.#turns % fairTurn === 0) return this.#waiting.shift();
    const first = Math.min(...this.#waiting.map(({ startPriority }) => startPriority));
    const place = this.#waiting.findIndex(({ startPriority }) => startPriority === first);
    return this.#waiting.splice(place, 1)[0];
  }
}
