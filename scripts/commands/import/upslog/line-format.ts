// The format string of upslog, compiled to a reader of its lines. A field ends where the text after it begins, so a line costs
// one pass, whatever it contains.
import { UsageError } from '../../usage.js';
import type { ReadTime } from './time-format.js';
import { timeOf, timePattern } from './time-format.js';

/** The format of upslog without -f (upslog(8)). */
export const defaultFormat =
  '%TIME @Y@m@d @H@M@S% %VAR battery.charge% %VAR input.voltage% %VAR ups.load% [%VAR ups.status%] %VAR ups.temperature% %VAR input.frequency%';

type Field =
  | { readonly kind: 'time'; readonly pattern: RegExp }
  | { readonly kind: 'text' }
  | { readonly kind: 'unix' }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'upsHost' }
  | { readonly kind: 'variable'; readonly name: string };

export interface ReadLine {
  readonly time: ReadTime;
  /** By NUT name, as written; `NA` where the UPS did not report it. */
  readonly variables: ReadonlyMap<string, string>;
  /** The UPS as upslog was given it; null where the format does not have it. */
  readonly upsHost: string | null;
}

/** A field and the text after it. */
type Part = { readonly field: Field; readonly after: string };

export class LineFormat {
  readonly #parts: readonly Part[];

  /** Throws a UsageError for a format whose lines cannot be read back. */
  constructor(format: string) {
    this.#parts = partsOf(format);
    const kinds = this.#parts.map(({ field }) => field.kind);
    if (!kinds.includes('time') && !kinds.includes('unix'))
      throw new UsageError('--format: the lines have no time; it needs %TIME ...% or %ETIME%');
    const joined = this.#parts.find(
      ({ field, after }, index) =>
        after === '' && index < this.#parts.length - 1 && !['text', 'time'].includes(field.kind),
    );
    if (joined !== undefined)
      throw new UsageError('--format: two fields without a text between them cannot be told apart');
  }

  /** Whether each line says of which UPS it is. */
  get namesUps(): boolean {
    return this.#parts.some(({ field }) => field.kind === 'upsHost');
  }

  /** The fields of a line, or what was expected. */
  read(line: string): ReadLine | string {
    const variables = new Map<string, string>();
    let time: ReadTime | null = null;
    let upsHost: string | null = null;
    let place = 0;
    const last = this.#parts.at(-1);
    for (const part of this.#parts) {
      const { field, after } = part;
      let end = place;
      if (field.kind === 'time') {
        field.pattern.lastIndex = place;
        const match = field.pattern.exec(line);
        if (match === null) return `expected a time at character ${String(place + 1)}`;
        time ??= timeOf(match.groups ?? {});
        if (time === null) return `${match[0]} is no date and time`;
        end += match[0].length;
      } else if (field.kind !== 'text') {
        end = part === last ? line.length - after.length : endOf(field, after, { line, place });
        if (end < place)
          return `expected ${shown(after)} after ${field.kind === 'variable' ? field.name : `the ${field.kind} field`}`;
        const value = line.slice(place, end);
        if (field.kind === 'variable') variables.set(field.name, value);
        if (field.kind === 'upsHost') upsHost ??= value;
        if (field.kind === 'unix') {
          if (!/^\d{1,12}$/.test(value)) return `expected Unix seconds at character ${String(place + 1)}`;
          time = timeOf({ unix: value });
        }
      }
      if (!line.startsWith(after, end)) return `expected ${shown(after)} at character ${String(end + 1)}`;
      place = end + after.length;
    }
    if (place < line.length) return `expected the end of the line at character ${String(place + 1)}`;
    return time === null ? 'expected a time' : { time, variables, upsHost };
  }
}

const statusWord =
  '(?:OL|OB|LB|HB|RB|CHRG|DISCHRG|BYPASS|CAL|OFF|OVER|TRIM|BOOST|FSD|ALARM|ECO|HE|TEST|WAIT)(?![^ ])';
/** They are divided by a space, as fields may be. */
const statusWords = new RegExp(`${statusWord}(?: ${statusWord})*`, 'y');

function endOf(field: Field, after: string, { line, place }: { line: string; place: number }): number {
  statusWords.lastIndex = place;
  const [words] = (field.kind === 'variable' && field.name === 'ups.status' && statusWords.exec(line)) || [];
  return line.indexOf(after, words === undefined || after !== ' ' ? place : place + words.length);
}

function partsOf(format: string): readonly Part[] {
  const parts: { field: Field; after: string }[] = [{ field: { kind: 'text' }, after: '' }];
  // The bytes of the file, one character each.
  const bytes = Buffer.from(format, 'utf8').toString('latin1');
  // %t is a tab wherever it stands, as in upslog.
  for (const [text, escape] of bytes.matchAll(/%t|%([^%]*)%|[^%]+|%/g)) {
    if (text === '%') throw new UsageError('--format: a % without its second %');
    const last = parts.at(-1);
    if (escape === undefined || escape === '') {
      if (last !== undefined) last.after += text === '%t' ? '\t' : escape === '' ? '%' : text;
    } else parts.push({ field: fieldOf(escape), after: '' });
  }
  return parts;
}

function fieldOf(escape: string): Field {
  const [, written = '', argument = ''] = /^(\S+)(?: (.*))?$/s.exec(escape) ?? [];
  const word = written.toUpperCase();
  if (word === 'TIME') return { kind: 'time', pattern: timePattern(argument) };
  if (word === 'ETIME') return { kind: 'unix' };
  if (word === 'UPSHOST') return { kind: 'upsHost' };
  if (word === 'HOST' || word === 'PID') return { kind: 'ignored' };
  if (word === 'VAR' && /^[\w.-]{1,128}$/.test(argument)) return { kind: 'variable', name: argument };
  throw new UsageError(`--format: upslog has no %${escape.slice(0, 60)}% (upslog(8))`);
}

function shown(text: string): string {
  return text === ' ' ? 'a space' : text === '\t' ? 'a tab' : JSON.stringify(text);
}
