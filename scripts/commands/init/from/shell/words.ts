// The words and operators of a shell script. Reads what POSIX gives one meaning and the usual forms of bash; everything else is
// Unreadable, never a guess. Pure.

import { arithmeticOf } from './arithmetic.js';

/** A form that this reader does not know, or a script that is no shell. */
export class Unreadable extends Error {
  constructor(readonly line: number) {
    super(`line ${String(line)}`);
  }
}

export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | {
      readonly kind: 'variable';
      readonly name: string;
      readonly quoted: boolean;
      /** Of `${NAME:-text}`. */
      readonly fallback: string | null;
      /** `=` sets the variable to its fallback; `?` ends the script where there is no value. */
      readonly operator: '-' | '=' | '?';
    }
  /** The output of commands. */
  | { readonly kind: 'output'; readonly script: string; readonly line: number }
  | { readonly kind: 'arithmetic'; readonly expression: string; readonly quoted: boolean }
  | { readonly kind: 'unknown' };

export interface Word {
  readonly kind: 'word';
  readonly parts: readonly Part[];
  readonly line: number;
}

export type Token =
  | Word
  | { readonly kind: 'operator'; readonly text: string; readonly line: number }
  /** Without its file descriptor. `body`: of a here-document. */
  | { readonly kind: 'redirect'; readonly text: string; readonly line: number; readonly body: Word | null };

interface HereDocument {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly stripsTabs: boolean;
  readonly index: number;
}

/** Far longer than a script of NUT. */
const maxLength = 65_536;
/** Of commands in commands. */
const maxDepth = 20;

/** Forms of `${…}` at which no shell ends the script. */
const ofEachShell = /^\{(?:#\w+|\w+(?:%|#|:?[-+=?]).*)\}$/;

const operators = ['&&', '||', ';;', '|', '&', ';', '(', ')', '\n'];
const redirects = ['<<<', '<<-', '<<', '>>', '>&', '<&', '&>>', '&>', '>|', '<', '>'];

export interface Source {
  readonly firstLine: number;
  /** A shell with the forms of bash; another one may end the script at them. */
  readonly isBash: boolean;
}

export function tokensOf(text: string, source: Source): readonly Token[] {
  return new Lexer(text, source).tokens();
}

class Lexer {
  readonly #text: string;
  #at = 0;
  #line: number;
  readonly isBash: boolean;
  readonly #tokens: Token[] = [];
  /** Here-documents whose text begins after this line. */
  readonly #pending: HereDocument[] = [];

  constructor(
    text: string,
    { firstLine, isBash }: Source,
    readonly depth = 0,
  ) {
    if (text.length > maxLength || depth > maxDepth) throw new Unreadable(firstLine);
    this.#text = text;
    this.#line = firstLine;
    this.isBash = isBash;
  }

  #source(firstLine: number): Source {
    return { firstLine, isBash: this.isBash };
  }

  tokens(): readonly Token[] {
    while (this.#at < this.#text.length) this.#next();
    if (this.#pending.length > 0) throw new Unreadable(this.#line);
    return this.#tokens;
  }

  #next(): void {
    const rest = this.#text.slice(this.#at, this.#at + 4);
    if (rest.startsWith('\\\n')) {
      this.#at += 2;
      this.#line += 1;
      return;
    }
    if (/^[ \t]/.test(rest)) {
      this.#at += 1;
      return;
    }
    if (rest.startsWith('#')) {
      const end = this.#text.indexOf('\n', this.#at);
      this.#at = end < 0 ? this.#text.length : end;
      return;
    }
    const line = this.#line;
    const digits = /^\d+(?=[<>])/.exec(this.#text.slice(this.#at, this.#at + 8))?.[0].length ?? 0;
    const redirect = redirects.find((text) => this.#text.startsWith(text, this.#at + digits));
    if (redirect !== undefined) {
      this.#at += digits + redirect.length;
      // Process substitution.
      if (this.#text[this.#at] === '(' || (redirect === '<<<' && !this.isBash)) throw new Unreadable(line);
      this.#tokens.push({ kind: 'redirect', text: redirect, line, body: null });
      if (redirect === '<<' || redirect === '<<-') this.#hereDocument(redirect === '<<-');
      return;
    }
    const operator = operators.find((text) => this.#text.startsWith(text, this.#at));
    if (operator === undefined) {
      this.#tokens.push(this.#word());
      return;
    }
    this.#at += operator.length;
    if (/^(?:;;&|;&|\(\()/.test(this.#text.slice(this.#at - operator.length, this.#at + 2)))
      throw new Unreadable(line);
    this.#tokens.push({ kind: 'operator', text: operator, line });
    if (operator !== '\n') return;
    this.#line += 1;
    for (const document of this.#pending.splice(0)) this.#bodyOf(document);
  }

  #hereDocument(stripsTabs: boolean): void {
    while (/[ \t]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
    const { parts, line } = this.#word();
    const texts = parts.map((part) => (part.kind === 'text' ? part : null));
    if (texts.length === 0 || texts.includes(null)) throw new Unreadable(line);
    this.#pending.push({
      delimiter: texts.map((part) => part?.text ?? '').join(''),
      isQuoted: texts.some((part) => part?.quoted === true),
      stripsTabs,
      index: this.#tokens.length - 1,
    });
  }

  #bodyOf({ delimiter, isQuoted, stripsTabs, index }: HereDocument): void {
    const line = this.#line;
    const lines: string[] = [];
    for (;;) {
      if (this.#at >= this.#text.length) throw new Unreadable(line);
      const end = this.#text.indexOf('\n', this.#at);
      const raw = this.#text.slice(this.#at, end < 0 ? this.#text.length : end);
      this.#at = end < 0 ? this.#text.length : end + 1;
      this.#line += 1;
      const one = stripsTabs ? raw.replace(/^\t+/, '') : raw;
      if (one === delimiter) break;
      lines.push(one);
    }
    const body = lines.join('\n');
    const parts: readonly Part[] = isQuoted
      ? [{ kind: 'text', text: body, quoted: true }]
      : new Lexer(`"${body.replaceAll('"', '\\"')}"`, this.#source(line)).#word().parts;
    this.#tokens[index] = { kind: 'redirect', text: '<<', line, body: { kind: 'word', parts, line } };
  }

  #word(): Word {
    const line = this.#line;
    const parts: Part[] = [];
    const add = (text: string, quoted: boolean): void => {
      parts.push({ kind: 'text', text, quoted });
    };
    let isDouble = false;
    for (;;) {
      const c = this.#text[this.#at];
      if (c === undefined) {
        if (isDouble) throw new Unreadable(line);
        break;
      }
      if (!isDouble && /[\s;&|()<>]/.test(c)) break;
      this.#at += 1;
      if (c === '\n') this.#line += 1;
      if (c === '"') {
        isDouble = !isDouble;
        // An empty text in quotes is a word.
        add('', true);
      } else if (c === "'" && !isDouble) {
        const end = this.#text.indexOf("'", this.#at);
        if (end < 0) throw new Unreadable(line);
        const text = this.#text.slice(this.#at, end);
        this.#line += text.split('\n').length - 1;
        this.#at = end + 1;
        add(text, true);
      } else if (c === '\\') {
        const next = this.#text[this.#at] ?? '';
        this.#at += 1;
        if (next === '\n') this.#line += 1;
        else add(isDouble && !'"\\$`'.includes(next) ? `\\${next}` : next, true);
      } else if (c === '$') parts.push(this.#expansion(isDouble));
      else if (c === '`') parts.push(this.#backquoted());
      else add(c, isDouble);
    }
    return { kind: 'word', parts: joinParts(parts), line };
  }

  #backquoted(): Part {
    const line = this.#line;
    const end = this.#text.indexOf('`', this.#at);
    const script = this.#text.slice(this.#at, Math.max(end, this.#at));
    // Nested ones are escaped.
    if (end < 0 || script.includes('\\')) throw new Unreadable(line);
    this.#at = end + 1;
    this.#line += script.split('\n').length - 1;
    return { kind: 'output', script, line };
  }

  /** After a `$`. */
  #expansion(quoted: boolean): Part {
    const rest = this.#text.slice(this.#at);
    const [plain] = /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(rest) ?? [];
    if (plain !== undefined) {
      this.#at += plain.length;
      return { kind: 'variable', name: plain, quoted, fallback: null, operator: '-' };
    }
    if (rest.startsWith('((')) {
      const found = arithmeticOf(rest);
      if (found === null) throw new Unreadable(this.#line);
      this.#at += found.whole.length;
      return { kind: 'arithmetic', expression: found.expression, quoted };
    }
    if (rest.startsWith('(')) return this.#substitution();
    if (rest.startsWith('{')) {
      const [whole = '', name = '', sign = '', fallback = null] =
        /^\{([A-Za-z_]\w*|\d+|[@*#?])(?:(:[-=]|-(?=\}))([\w/. @:+=-]*)|(?=:?\?)[^{}`$()'"\n]*)?\}/.exec(
          rest,
        ) ?? [];
      if (whole !== '') {
        this.#at += whole.length;
        const isPlain = whole === `{${name}}`;
        const operator = sign === ':=' ? '=' : sign === '' && !isPlain ? '?' : '-';
        return { kind: 'variable', name, quoted, fallback, operator };
      }
      // Another form of it: without commands inside, its value is what is not known.
      const [other] = /^\{[^{}`$()'"\n]*\}/.exec(rest) ?? [];
      if (other === undefined || !(this.isBash || ofEachShell.test(other))) throw new Unreadable(this.#line);
      this.#at += other.length;
      return { kind: 'unknown' };
    }
    // $'…' and $"…" of bash.
    if (/^['"]/.test(rest) && !quoted) throw new Unreadable(this.#line);
    return { kind: 'text', text: '$', quoted: true };
  }

  /** Up to the bracket that closes it, which the words inside find. */
  #substitution(): Part {
    const line = this.#line;
    const from = this.#at + 1;
    const inner = new Lexer(this.#text, this.#source(line), this.depth + 1);
    inner.#at = from;
    for (let depth = 1; depth > 0;) {
      if (inner.#at >= this.#text.length) throw new Unreadable(line);
      const count = inner.#tokens.length;
      inner.#next();
      const last = inner.#tokens.length > count ? inner.#tokens.at(-1) : undefined;
      if (last?.kind !== 'operator') continue;
      // A pattern of `case` has a bracket that nothing opens.
      if (inner.#tokens.some((token) => token.kind === 'word' && literalOf(token) === 'case'))
        throw new Unreadable(line);
      if (last.text === '(') depth += 1;
      if (last.text === ')') depth -= 1;
    }
    this.#at = inner.#at;
    this.#line = inner.#line;
    return { kind: 'output', script: this.#text.slice(from, this.#at - 1), line };
  }
}

/** Neighbours of one kind as one. */
function joinParts(parts: readonly Part[]): readonly Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part.kind === 'text' && last?.kind === 'text' && last.quoted === part.quoted)
      all.splice(-1, 1, { ...last, text: last.text + part.text });
    else all.push(part);
  }
  return all;
}

/** The text of a word without quotes and expansions: a keyword can only be one. Null for any other. */
export function literalOf(word: Word): string | null {
  const [part] = word.parts;
  return word.parts.length === 1 && part?.kind === 'text' && !part.quoted ? part.text : null;
}
