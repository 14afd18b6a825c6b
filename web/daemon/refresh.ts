// When a view asks the daemon again, and which answer it still waits for.

export class Refresh {
  #askedMs = -Infinity;
  #number = 0;

  /** True at most once in `everyMs`, and after `soon` or `forget`. */
  isDue(everyMs: number): boolean {
    const now = performance.now();
    if (now - this.#askedMs < everyMs) return false;
    this.#askedMs = now;
    return true;
  }

  /** The next `isDue` is true. */
  soon(): void {
    this.#askedMs = -Infinity;
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
