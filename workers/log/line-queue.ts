// The lines that wait for one sink: bounded in number and size. When it is full the oldest waiting line goes, as in the
// kernel's ring buffer: what happened last is what the person on call needs. What is being written is never touched.

/** About ten minutes of a busy daemon, and a small part of what the log process may use. */
export const usualBounds: Bounds = { lines: 4096, characters: 1_048_576 };

export interface Bounds {
  readonly lines: number;
  /** UTF-16 units, which is what the lines cost in memory. */
  readonly characters: number;
}

export class LineQueue {
  readonly #bounds: Bounds;
  readonly #batchCharacters: number;
  readonly #lostLine: (count: number) => string;
  #waiting: string[] = [];
  /** Index of the first line of `#waiting` that still waits; the ones before it are gone. */
  #head = 0;
  #characters = 0;
  #batch: string[] = [];
  /** Lines dropped since the last line that said so. */
  #lost = 0;

  /** `lostLine` is the line that stands where lines are missing; `batchCharacters` bounds what is written at once. */
  constructor(bounds: Bounds, batchCharacters: number, lostLine: (count: number) => string) {
    this.#bounds = bounds;
    this.#batchCharacters = batchCharacters;
    this.#lostLine = lostLine;
  }

  get empty(): boolean {
    return this.#batch.length === 0 && this.#head === this.#waiting.length && this.#lost === 0;
  }

  /** Appends a line; answers how many old ones had to go for it. */
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

  /** What to write next: the rest of the last batch, else a new one, opened by the count of lost lines if there are any. */
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

  /** The first `count` lines of the batch are out. */
  taken(count: number): void {
    this.#batch.splice(0, count);
  }

  #shift(): string {
    const line = this.#waiting[this.#head] ?? '';
    this.#head += 1;
    this.#characters -= line.length;
    // Now and then, so that taking a line off the front stays cheap.
    if (this.#head > this.#bounds.lines) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    return line;
  }
}
