// Runs one piece of work after the other, whatever comes of those before. It has no deadline: its users bound how many wait.

export class SerialWork {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all earlier work. What it throws is the caller's. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
