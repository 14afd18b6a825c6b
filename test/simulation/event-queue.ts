// A queue of callbacks ordered by time; callbacks of the same time run in the order of their entry.

interface Entry {
  readonly at: number;
  readonly order: number;
  run: (() => void) | null;
}

export class EventQueue {
  readonly #heap: Entry[] = [];
  #entered = 0;

  /** Schedules `run` at `at`; returns the function that cancels it. */
  enter(at: number, run: () => void): () => void {
    const entry: Entry = { at, order: (this.#entered += 1), run };
    this.#heap.push(entry);
    this.#rise(this.#heap.length - 1);
    return () => {
      entry.run = null;
    };
  }

  /** Time of the next entry; Infinity for an empty queue. */
  get nextAt(): number {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (top.run !== null) return top.at;
      this.#removeTop();
    }
    return Infinity;
  }

  take(): (() => void) | null {
    if (this.nextAt === Infinity) return null;
    return this.#removeTop()?.run ?? null;
  }

  clear(): void {
    this.#heap.length = 0;
  }

  #removeTop(): Entry | undefined {
    const top = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink(0);
    }
    return top;
  }

  #rise(place: number): void {
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#swapIfBefore(place, parent)) return;
      place = parent;
    }
  }

  #sink(place: number): void {
    for (;;) {
      const left = 2 * place + 1;
      const right = left + 1;
      const first = isBefore(this.#heap[right], this.#heap[left]) ? right : left;
      if (!this.#swapIfBefore(first, place)) return;
      place = first;
    }
  }

  #swapIfBefore(lower: number, upper: number): boolean {
    const below = this.#heap[lower];
    const above = this.#heap[upper];
    if (below === undefined || above === undefined || !isBefore(below, above)) return false;
    this.#heap[upper] = below;
    this.#heap[lower] = above;
    return true;
  }
}

function isBefore(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
