// The lines that wait for one sink, bounded in number and size. A full queue drops its oldest line, as the kernel's ring buffer
// does: an operator needs the latest. The batch in progress stays.

/** About ten minutes of a busy daemon, and a small part of the memory limit of the log process. */
export const usualBounds: Bounds = { lines: 4096, characters: 1_048_576 };

export interface Bounds {
  readonly lines: number;
  /** UTF-16 units, for the memory of the lines. */
  readonly characters: number;
}

export class LineQueue {
  readonly #bounds: Bounds;
  readonly #batchCharacters: number;
  readonly #lostLine: (count: number) => string;
  #waiting: string[] = [];
  /** Index of the first waiting line of `#waiting`; those before it are written or dropped. */
  #head = 0;
  #characters = 0;
  #batch: string[] = [];
  /** Lines dropped since the last line that reported it. */
  #lost = 0;

  /** `lostLine` replaces missing lines; `batchCharacters` bounds one write. */
  constructor(bounds: Bounds, batchCharacters: number, lostLine: (count: number) => string) {
    this.#bounds = bounds;
    this.#batchCharacters = batchCharacters;
    this.#lostLine = lostLine;
  }

  get empty(): boolean {
    return this.#batch.length === 0 && this.#head === this.#waiting.length && this.#lost === 0;
  }

  /** Appends a line; returns how many old ones were dropped for it. */
  push(line: string): number {
    this.#waiting.push(line);
    this.#characters += line.length;
    let dropped = 0;
    while (
      this.#waiting.length - this.#head > this.#bounds.lines ||
      this.#characters > this.#bounds.characters
    ) {
      this.#shift();
      dropped += 1;
    }
    this.#lost += dropped;
    return dropped;
  }

  /** The next batch: the rest of the last one, else a new one, which begins with the count of lost lines if any. */
  next(): readonly string[] {
    if (this.#batch.length > 0) return this.#batch;
    let characters = 0;
    if (this.#lost > 0) this.#batch.push(this.#lostLine(this.#lost));
    this.#lost = 0;
    while (
      this.#head < this.#waiting.length &&
      (characters < this.#batchCharacters || this.#batch.length === 0)
    ) {
      const line = this.#shift();
      characters += line.length;
      this.#batch.push(line);
    }
    return this.#batch;
  }

  /** The first `count` lines of the batch are written. */
  taken(count: number): void {
    this.#batch.splice(0, count);
  }

  #shift(): string {
    const line = this.#waiting[this.#head] ?? '';
    this.#head += 1;
    this.#characters -= line.length;
    // Rare, so that removing a line from the front stays cheap.
    if (this.#head > this.#bounds.lines) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    return line;
  }
}
