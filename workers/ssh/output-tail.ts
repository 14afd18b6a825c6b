// Keeps the end of the output of a command, which has the reason of a failure, within a bound, as text that is safe to show.

/** For each of the two streams; a report of a hundred guests fits. */
const maxBytes = 8_192;

/** Longer than a mark. */
const maxMarkLength = 64;

export class OutputTail {
  readonly #lastWords: readonly string[];
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** The end of the chunk before: a mark may be cut. */
  #seam = '';
  #isOver = false;

  /** `lastWords`: marks after which nothing is kept, so that noise after an answer does not push it out. */
  constructor(lastWords: readonly string[] = []) {
    this.#lastWords = lastWords;
  }

  add(chunk: Buffer): void {
    if (this.#isOver) return;
    const length = this.#lengthToMark(chunk);
    this.#isOver = length !== null;
    this.#keep(length === null ? chunk : chunk.subarray(0, length));
  }

  /** The length of the chunk up to the end of the first mark; null where none ends in it. */
  #lengthToMark(chunk: Buffer): number | null {
    if (this.#lastWords.length === 0) return null;
    const text = this.#seam + chunk.toString('latin1');
    const ends = this.#lastWords.flatMap((mark) => {
      const at = text.indexOf(mark);
      return at === -1 ? [] : [at + mark.length - this.#seam.length];
    });
    this.#seam = text.slice(-maxMarkLength);
    return ends.length === 0 ? null : Math.min(...ends);
  }

  #keep(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    // Joined only at twice the bound, so that each byte is copied a bounded number of times.
    if (this.#bytes < 2 * maxBytes) return;
    const last = Buffer.concat(this.#chunks).subarray(-maxBytes);
    // A copy: a slice would keep the complete buffer in memory.
    this.#chunks = [Buffer.from(last)];
    this.#bytes = maxBytes;
  }

  get text(): string {
    const bytes = Buffer.concat(this.#chunks).subarray(-maxBytes);
    return withoutControls(bytes.toString('utf8'));
  }
}

/** Without escape sequences and control characters; line breaks stay. */
export function withoutControls(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // oxlint-disable-next-line no-control-regex -- removing them is its purpose
      .replace(/\u001b(?:\[[0-9;?]*[ -/]*[@-~]|[@-Z\\-_])/g, '')
      // oxlint-disable-next-line no-control-regex -- removing them is its purpose
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
  );
}

/** On one line, at most `maxLength` characters: the end of the output, where commands print the reason. */
export function oneLine(text: string, maxLength: number): string {
  const line = text
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join('; ');
  return line.length > maxLength ? `...${line.slice(-(maxLength - 3))}` : line;
}
