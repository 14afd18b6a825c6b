// The versions of something over time, for a look back of limited length.
export class Versions<T> {
  readonly #lookBackMs: number;
  #all: { readonly atMs: number; readonly value: T }[] = [];

  constructor(lookBackMs: number) {
    this.#lookBackMs = lookBackMs;
  }

  /** The newest; null for none. */
  get newest(): T | null {
    return this.#all.at(-1)?.value ?? null;
  }

  /** Replaces one of the same time. */
  put(value: T, atMs: number): void {
    if (this.#all.at(-1)?.atMs === atMs) this.#all.pop();
    this.#all.push({ atMs, value });
    while ((this.#all[1]?.atMs ?? Infinity) <= atMs - this.#lookBackMs) this.#all.shift();
  }

  /** From now on the newest is the one of `atMs`; none if there was none yet. */
  goBackTo(atMs: number): void {
    this.#all = this.#all.filter((version) => version.atMs <= atMs);
  }

  clear(): void {
    this.#all = [];
  }
}
