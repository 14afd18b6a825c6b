// When a view asks the daemon again, and which answer it still waits for.

/** After a failed request. */
const retryMs = 5_000;

export class Refresh {
  #askedMs = -Infinity;
  /** When to ask at the latest. */
  #retryAtMs = Infinity;
  #number = 0;

  /** True at most once in `everyMs`, and after `soon` or `forget`. */
  isDue(everyMs: number): boolean {
    const now = performance.now();
    if (now - this.#askedMs < everyMs && now < this.#retryAtMs) return false;
    this.#askedMs = now;
    this.#retryAtMs = Infinity;
    return true;
  }

  /** The next `isDue` is true. */
  soon(): void {
    this.#askedMs = -Infinity;
  }

  /** The request has failed: `isDue` is true in a few seconds, however long its interval is. */
  failed(): void {
    this.#retryAtMs = performance.now() + retryMs;
  }

  /** Begins a request. The returned function: whether its answer still counts, which the next request or `forget` ends. */
  begin(): () => boolean {
    const number = ++this.#number;
    return () => number === this.#number;
  }

  /** The view shows something else: no answer on its way counts. */
  forget(): void {
    this.soon();
    this.#number++;
  }
}
