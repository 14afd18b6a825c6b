// How many worker threads start at the same time, and which of those that wait comes next. A fleet that starts all at once
// makes every one of them late, and its hosts silent, until all are killed and start again together.

import type { StartPriority } from './worker-spec.js';

/**
 * One start keeps a core busy for some 50 ms and waits for two others now and then. As many as there are host processes:
 * no host has more to relay meanwhile than it can while its threads poll.
 */
const width = 4;
/** Every so many turns the longest waiting is next: urgent ones that never come up must not keep the others out. */
const fairTurn = 4;
/** A thread is up within 0.1 s. One that takes this long may take for ever, and holds up nobody any more. */
const patienceMs = 1_000;

interface Waiting {
  readonly starter: object;
  readonly startPriority: StartPriority;
  readonly begin: () => void;
}

export class StartGate {
  readonly #nowMs: () => number;
  /** In the order in which they came. */
  readonly #waiting: Waiting[] = [];
  /** Those that start now, and since when. */
  readonly #starting = new Map<object, number>();
  #turns = 0;

  /** `nowMs`: waking time, so that a suspended machine does not let everybody through at once. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Calls `begin` when it is the turn of `starter`: at once, from within, while there is room. */
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

  /** To be called at every tick. */
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

  /** The first that came of the most urgent. */
  #next(): Waiting | undefined {
    if (this.#waiting.length === 0) return undefined;
    this.#turns += 1;
    if (this.#turns % fairTurn === 0) return this.#waiting.shift();
    const first = Math.min(...this.#waiting.map(({ startPriority }) => startPriority));
    const place = this.#waiting.findIndex(({ startPriority }) => startPriority === first);
    return this.#waiting.splice(place, 1)[0];
  }
}
