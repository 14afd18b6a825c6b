// The last lines of the log, for the support archive (specification/support.md): in memory only, as the text form writes them.

/** With `maxCharacters` one frame of the link in any alphabet. */
export const maxLines = 2_000;
const maxCharacters = 1_048_576;

export class Tail {
  #lines: string[] = [];
  /** Index of the oldest kept line. */
  #first = 0;
  #characters = 0;

  push(line: string): void {
    this.#lines.push(line);
    this.#characters += line.length;
    while (this.#lines.length - this.#first > maxLines || this.#characters > maxCharacters) {
      this.#characters -= this.#lines[this.#first]?.length ?? 0;
      this.#first += 1;
    }
    // Rare, so that dropping a line stays cheap.
    if (this.#first > maxLines) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Oldest first. */
  get lines(): readonly string[] {
    return this.#lines.slice(this.#first);
  }
}
