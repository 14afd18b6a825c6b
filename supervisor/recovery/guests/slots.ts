// Bounds how many starts run side by side, whichever engine does them.

export interface Ordered {
  /** Keys of others. */
  readonly after: readonly string[];
}

/** So many run side by side; the others wait for their turn. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  async #run(act: () => Promise<void>): Promise<void> {
    if (this.#free === 0) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#free -= 1;
    try {
      await act();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  /** Each after those of the map that it names; those that name each other together. */
  async runInOrder<T extends Ordered>(
    all: ReadonlyMap<string, T>,
    act: (item: T) => Promise<void>,
  ): Promise<void> {
    let rest = [...all];
    while (rest.length > 0) {
      const waiting = new Set(rest.map(([key]) => key));
      const free = rest.filter(([, { after }]) => !after.some((key) => waiting.has(key)));
      const wave = free.length > 0 ? free : rest;
      await Promise.all(wave.map(([, item]) => this.#run(() => act(item))));
      rest = rest.filter((entry) => !wave.includes(entry));
    }
  }
}
