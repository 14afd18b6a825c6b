// Collects the answer to one request from its lines, within fixed bounds. Knows the form of an answer, not its meaning.
import { cutAt, textOf, wordsOf } from './wire.js';

/** Five times the variables of any device; further rows are an error. */
const maxRows = 5_000;
const maxBytes = 1_048_576;

/** The form of an answer: one line, or a list whose BEGIN and END repeat the query. */
export type Expected =
  | { readonly kind: 'line' }
  | {
      readonly kind: 'list';
      readonly of: 'UPS' | 'VAR' | 'RW' | 'CMD' | 'ENUM' | 'RANGE' | 'CLIENT';
      readonly query: readonly string[];
    };

export type ParsedAnswer =
  | { readonly kind: 'line'; readonly words: readonly string[]; readonly text: string }
  /** The words of each row after the query; of those that cannot be read the number, and the first. */
  | {
      readonly kind: 'rows';
      readonly rows: readonly (readonly string[])[];
      readonly unread: { readonly count: number; readonly first: string } | null;
    }
  | { readonly kind: 'error'; readonly token: string; readonly text: string }
  | { readonly kind: 'nonsense'; readonly why: string };

/** A row of a list and its line. Most lines of a poll equal those of the one before and are not parsed again. */
export interface KnownRow {
  readonly line: Buffer;
  readonly row: readonly string[];
}

export class AnswerReader {
  readonly #expected: Expected;
  readonly #known: readonly KnownRow[];
  readonly #rows: (readonly string[])[] = [];
  /** Of this answer, for the next one. */
  readonly knownRows: KnownRow[] = [];
  #begun = false;
  /** The last row did not close its quotes: its value has line breaks, which upsd does not escape. */
  #isOpen = false;
  #bytes = 0;
  #unread: { count: number; readonly first: string } | null = null;

  constructor(expected: Expected, known: readonly KnownRow[] = []) {
    this.#expected = expected;
    this.#known = known;
  }

  /** Takes the next line, the bytes from `start` to before `end`; returns the answer once it is complete, undefined before. */
  line(bytes: Buffer, start = 0, end = bytes.length): ParsedAnswer | undefined {
    this.#bytes += end - start + 1;
    if (this.#bytes > maxBytes) return malformedAnswer(`the answer is longer than ${String(maxBytes)} bytes`);
    const known = this.#begun ? this.#known[this.knownRows.length] : undefined;
    if (known?.line.length === end - start && known.line.compare(bytes, start, end) === 0)
      return this.#add(known);
    const line = bytes.subarray(start, end);
    const text = textOf(line);
    const words = wordsOf(text);
    const spoken = words ?? text.split(' ');
    if (spoken[0] === 'ERR') return { kind: 'error', token: spoken[1] ?? '', text };
    // Any line is an answer: a server that is no upsd may quote wrongly what it does not know.
    if (this.#expected.kind === 'line') return { kind: 'line', words: words ?? [], text };
    if (isBlank(text)) return undefined;
    if (!this.#begun) {
      if (!this.#echoes('BEGIN', words)) return malformedAnswer(`expected BEGIN LIST, got: ${shown(text)}`);
      this.#begun = true;
      return undefined;
    }
    return this.#row(line, text, words);
  }

  #add(known: KnownRow): ParsedAnswer | undefined {
    if (this.#rows.length >= maxRows)
      return malformedAnswer(`the list has more than ${String(maxRows)} rows`);
    this.#rows.push(known.row);
    this.knownRows.push(known);
    return undefined;
  }

  #row(line: Buffer, text: string, words: readonly string[] | undefined): ParsedAnswer | undefined {
    if (this.#echoes('END', words)) return { kind: 'rows', rows: this.#rows, unread: this.#unread };
    const row = this.#rowOf(words) ?? this.#unquotedRow(text, words) ?? this.#followedRow(text, words);
    if (row !== undefined) {
      this.#isOpen = false;
      return this.#add({ line: Buffer.from(line), row });
    }
    if (line.length > cutAt) {
      // The server cut a row at the end of its buffer, without a line break: byte 513 begins the next line.
      const cut = this.#rowOf(wordsOf(textOf(line.subarray(0, cutAt))));
      if (cut !== undefined) this.#rows.push(cut);
      const tail = line.subarray(cutAt);
      const rest = textOf(tail);
      return this.#row(tail, rest, wordsOf(rest));
    }
    // An unreadable row of this list is a missing value; any other line means that the stream is out of step.
    if (!this.#isOurs(text) && this.#isOpen) return undefined;
    this.#isOpen = words === undefined;
    if (!this.#isOurs(text)) return malformedAnswer(`not a row of this list: ${shown(text)}`);
    if (this.#unread === null) this.#unread = { count: 1, first: shown(text) };
    else this.#unread.count += 1;
    return undefined;
  }

  /** Some servers do not quote a value of several words, such as that of ups.status. */
  #unquotedRow(text: string, words: readonly string[] | undefined): readonly string[] | undefined {
    if (this.#expected.kind !== 'list' || words === undefined || text.includes('"')) return undefined;
    const head = 1 + this.#expected.query.length;
    const isValued = this.#expected.of === 'VAR' || this.#expected.of === 'RW';
    if (!isValued || text.length > cutAt || words.length < head + 2) return undefined;
    return this.#rowOf([...words.slice(0, head + 1), words.slice(head + 1).join(' ')]);
  }

  /** Some servers write more after the value in its quotes, such as a unit. */
  #followedRow(text: string, words: readonly string[] | undefined): readonly string[] | undefined {
    if (this.#expected.kind !== 'list' || words === undefined) return undefined;
    const value = 2 + this.#expected.query.length;
    const isValued = this.#expected.of === 'VAR' || this.#expected.of === 'RW';
    const isQuoted = text.trim().split(/\s+/)[value]?.startsWith('"') === true;
    return isValued && isQuoted ? this.#rowOf(words.slice(0, value + 1)) : undefined;
  }

  #isOurs(text: string): boolean {
    if (this.#expected.kind !== 'list') return false;
    const head = [this.#expected.of, ...this.#expected.query, ''].join(' ');
    return text.replaceAll('"', '').slice(0, head.length).toLowerCase() === head.toLowerCase();
  }

  #echoes(edge: 'BEGIN' | 'END', words: readonly string[] | undefined): boolean {
    if (this.#expected.kind !== 'list' || words === undefined) return false;
    const wanted = [edge, 'LIST', this.#expected.of, ...this.#expected.query];
    // Some servers write more there, or end with less of it. A wrong word is of another list.
    const least = edge === 'BEGIN' ? wanted.length : 2;
    const length = Math.min(words.length, wanted.length);
    return length >= least && sameWords(words.slice(0, length), wanted.slice(0, length));
  }

  #rowOf(words: readonly string[] | undefined): readonly string[] | undefined {
    if (this.#expected.kind !== 'list' || words === undefined) return undefined;
    const head = [this.#expected.of, ...this.#expected.query];
    const own = rowWords[this.#expected.of];
    if (words.length !== head.length + own || !sameWords(words.slice(0, head.length), head)) return undefined;
    return words.slice(head.length);
  }
}

/** The number of words of a row after those that repeat the query. */
const rowWords = { UPS: 2, VAR: 2, RW: 2, CMD: 1, ENUM: 1, RANGE: 2, CLIENT: 1 } as const;

/** upsd compares names without case and repeats the query as it was sent. */
function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, i) => word.toLowerCase() === b[i]?.toLowerCase());
}

/** Of no line. */
export const isBlank = (text: string): boolean => text.trim() === '';

function malformedAnswer(why: string): ParsedAnswer {
  return { kind: 'nonsense', why };
}

/** A line as short printable text for a message. */
function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text);
}
