// Takes the lines that begin with a mark out of a stream of output, before a tail of it is kept. Bounded in memory, whatever comes.

/** With the longest path, name and user of a guest (shared/domain/recovery/guest.ts). */
const maxLineBytes = 8_192;
const newline = 10;

export class MarkedLines {
  readonly #mark: Buffer;
  readonly #take: (line: string) => void;
  readonly #rest: (chunk: Buffer) => void;
  /** The begin of a line that has, or may yet have, the mark; null: within another line. */
  #line: Buffer | null = Buffer.alloc(0);
  /** The marked line is longer than the bound: the rest of it is dropped. */
  #isTooLong = false;

  /** `take` gets each complete marked line without its mark and line break, `rest` all other bytes in their order. */
  constructor(mark: string, take: (line: string) => void, rest: (chunk: Buffer) => void) {
    this.#mark = Buffer.from(mark);
    this.#take = take;
    this.#rest = rest;
  }

  add(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#line === null ? this.#pass(chunk, at) : this.#collect(chunk, at);
  }

  /** The output has ended: a begin of a mark is no mark. A marked line without its end may be cut, and is dropped. */
  end(): void {
    if (this.#line !== null && !this.#isMarked(this.#line)) this.#rest(this.#line);
    this.#line = null;
  }

  /** Up to the end of an unmarked line, and of each that follows it in this chunk without the mark. */
  #pass(chunk: Buffer, from: number): number {
    let to = from;
    do {
      const end = chunk.indexOf(newline, to);
      to = end === -1 ? chunk.length : end + 1;
      if (end === -1) break;
    } while (to < chunk.length && !this.#mayBeMarked(chunk.subarray(to, to + this.#mark.length)));
    this.#rest(chunk.subarray(from, to));
    if (chunk[to - 1] === newline) this.#line = Buffer.alloc(0);
    return to;
  }

  #collect(chunk: Buffer, from: number): number {
    const end = chunk.indexOf(newline, from);
    const to = end === -1 ? chunk.length : end;
    const line = Buffer.concat([this.#line ?? Buffer.alloc(0), chunk.subarray(from, to)]);
    if (!this.#mayBeMarked(line.subarray(0, this.#mark.length))) {
      this.#rest(line);
      this.#line = null;
      return to;
    }
    if (line.length > maxLineBytes) this.#isTooLong = true;
    this.#line = this.#isTooLong ? line.subarray(0, this.#mark.length) : line;
    if (end === -1) return to;
    if (!this.#isMarked(line)) this.#rest(Buffer.concat([line, Buffer.from([newline])]));
    else if (!this.#isTooLong) this.#take(line.toString('utf8', this.#mark.length));
    this.#line = Buffer.alloc(0);
    this.#isTooLong = false;
    return to + 1;
  }

  #mayBeMarked(begin: Buffer): boolean {
    return begin.equals(this.#mark.subarray(0, begin.length));
  }

  #isMarked(line: Buffer): boolean {
    return line.length >= this.#mark.length && this.#mayBeMarked(line.subarray(0, this.#mark.length));
  }
}
