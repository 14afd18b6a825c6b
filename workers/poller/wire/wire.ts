// The lines of the NUT protocol: formats requests and splits bytes into lines and words. Knows no socket and no meaning.
import { isUtf8 } from 'node:buffer';

/** upsd takes at most 32 words a line and 512 bytes a word (NUT, common/parseconf.c). */
const maxWordLength = 512;
/** upsd formats each line of an answer into 512 bytes and cuts it without a line break (NUT_NET_ANSWER_MAX). */
export const cutAt = 512;
/** Longer than any valid line; several cut rows without line breaks still fit. */
export const maxLineLength = 4096;

const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * A request: its keywords verbatim, everything else quoted where it needs it. Undefined when a word cannot be sent: it has a
 * control character (a line break would begin a second request) or is longer than the server reads.
 */
export function requestLine(keywords: string, ...words: readonly string[]): string | undefined {
  if (!words.every(isEncodable)) return undefined;
  return [keywords, ...words.map(quoteIfNeeded)].join(' ');
}

/** Quoted only where it needs it: some servers compare a name with the word as it was sent. */
export function quoteIfNeeded(word: string): string {
  return /^[A-Za-z0-9._:@/-]+$/.test(word) ? word : quote(word);
}

/** Always quoted; `"`, `\` and `#` escaped: upsd drops a line with a bare `#` without an answer. */
export function quote(word: string): string {
  return `"${word.replace(/["\\#]/g, '\\$&')}"`;
}

export function isEncodable(word: string): boolean {
  for (let i = 0; i < word.length; i += 1) {
    const unit = word.charCodeAt(i);
    if (unit < 0x20 || unit === 0x7f) return false;
  }
  return Buffer.byteLength(word) <= maxWordLength;
}

/** Whether a server gets all of a name or value: upsd leaves out what is not ASCII, and reports success. */
export function isWritable(word: string): boolean {
  return isEncodable(word) && /^[ -~]*$/.test(word);
}

/**
 * The words of one line, unquoted and unescaped (`\x` is `x` for any x). Undefined when a quote is not closed, or text
 * follows a closing quote without a space: such a line was cut or is not NUT's.
 */
export function wordsOf(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let i = 0;
  while (i < line.length) {
    if (isSpace(line[i])) {
      i += 1;
      continue;
    }
    const quoted = line[i] === '"';
    if (quoted) i += 1;
    let word = '';
    let from = i;
    while (i < line.length && (quoted ? line[i] !== '"' : !isSpace(line[i]))) {
      if (line[i] === '\\' && i + 1 < line.length) {
        word += line.slice(from, i);
        from = i + 1;
        i += 1;
      }
      i += 1;
    }
    words.push(word + line.slice(from, i));
    if (!quoted) continue;
    if (i >= line.length) return undefined;
    i += 1;
    if (i < line.length && !isSpace(line[i])) return undefined;
  }
  return words;
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** Decodes a line: UTF-8 where valid, else Latin-1, which some drivers pass on from the device. */
export function textOf(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
}

/** Splits a stream of bytes into lines, with memory for one line. */
export class LineBuffer {
  readonly #bytes = Buffer.allocUnsafeSlow(maxLineLength);
  #used = 0;

  /**
   * Calls `onLine` with each complete line, without its end: the bytes from `start` to before `end`, valid during the call
   * only. False when a line is too long: the stream is then unusable.
   */
  push(chunk: Buffer, onLine: (bytes: Buffer, start: number, end: number) => void): boolean {
    let from = 0;
    while (from < chunk.length) {
      const at = chunk.indexOf(newline, from);
      const to = at === -1 ? chunk.length : at;
      const begun = this.#used;
      if (begun + (to - from) > maxLineLength) return false;
      if (begun > 0 || at === -1) {
        chunk.copy(this.#bytes, begun, from, to);
        this.#used += to - from;
      }
      if (at === -1) return true;
      if (begun === 0) onLine(chunk, ...withoutReturns(chunk, from, to));
      else {
        const end = this.#used;
        this.#used = 0;
        onLine(this.#bytes, ...withoutReturns(this.#bytes, 0, end));
      }
      from = at + 1;
    }
    return true;
  }

  /** Bytes of an incomplete line. */
  get pending(): number {
    return this.#used;
  }

  /** The incomplete line. */
  get rest(): Buffer {
    return this.#bytes.subarray(0, this.#used);
  }
}

/** Without the carriage returns around it: some servers end a line with LF CR, or with CR CR LF. */
function withoutReturns(bytes: Buffer, start: number, end: number): [start: number, end: number] {
  let [from, to] = [start, end];
  while (from < to && bytes[from] === carriageReturn) from += 1;
  while (from < to && bytes[to - 1] === carriageReturn) to -= 1;
  return [from, to];
}
