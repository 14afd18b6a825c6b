// How often and how long the guests of a machine could not be started. The time of a hold, in which nothing is looked at, does not count.
import type { Hold } from './power-hold.js';

export class Attempts {
  readonly #counts = new Map<string, number>();
  /** Monotonic ms. */
  readonly #since = new Map<string, number>();
  #heldFromMs: number | null = null;

  countOf(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Returns the count with this one. */
  add(key: string): number {
    const count = this.countOf(key) + 1;
    this.#counts.set(key, count);
    return count;
  }

  /** For how long; zero where it begins. */
  lastedMs(key: string, nowMs: number): number {
    const sinceMs = this.#since.get(key) ?? nowMs;
    this.#since.set(key, sinceMs);
    return nowMs - sinceMs;
  }

  end(key: string): void {
    this.#since.delete(key);
  }

  /** After an outage all begins again. */
  hold(kind: Hold['kind'], nowMs: number): void {
    this.#heldFromMs ??= nowMs;
    if (kind !== 'outage') return;
    this.#counts.clear();
    this.#since.clear();
  }

  resume(nowMs: number): void {
    if (this.#heldFromMs === null) return;
    for (const [key, sinceMs] of this.#since) this.#since.set(key, sinceMs + nowMs - this.#heldFromMs);
    this.#heldFromMs = null;
  }
}
