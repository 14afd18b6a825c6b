// How many worker threads start at the same time. A fleet that starts all at once makes every one of them late, and its
// hosts silent, until all are killed and start again together.

/**
 * One start keeps a core busy for some 50 ms and waits for two others now and then. As many as there are host processes:
 * no host has more to relay meanwhile than it can while its threads poll.
 */
const width = 4;
/** A thread is up within 0.1 s. One that takes this long may take for ever, and holds up nobody any more. */
const patienceMs = 1_000;

interface Waiting {
  readonly who: object;
  readonly begin: () => void;
}

export class StartGate {
  readonly #nowMs: () => number;
  readonly #waiting: Waiting[] = [];
  /** Those that start now, and since when. */
  readonly #starting = new Map<object, number>();

  /** `nowMs`: waking time, so that a suspended machine does not let everybody through at once. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Calls `begin` when it is the turn of `who`: at once, from within, while there is room. */
  enter(who: object, begin: () => void): void {
    this.#waiting.push({ who, begin });
    this.#admit();
  }

  /** `who` is up, lost, or wants no turn any more. */
  leave(who: object): void {
    const place = this.#waiting.findIndex((waiting) => waiting.who === who);
    if (place !== -1) this.#waiting.splice(place, 1);
    if (this.#starting.delete(who)) this.#admit();
  }

  /** To be called at every tick. */
  tick(): void {
    const now = this.#nowMs();
    for (const [who, sinceMs] of this.#starting) if (now - sinceMs >= patienceMs) this.leave(who);
  }

  #admit(): void {
    while (this.#starting.size < width) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#starting.set(next.who, this.#nowMs());
      next.begin();
    }
  }
}
