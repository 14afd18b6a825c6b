// The commands of a shell script as a tree. What the grammar here does not have is Unreadable. Pure.
import type { Assignment } from './assignments.js';
import { assignmentOf, nameOfList, unknownOf } from './assignments.js';
import type { Item, List, Node, Redirect } from './tree.js';
import type { Source, Token, Word } from './words.js';
import { literalOf, tokensOf, Unreadable } from './words.js';

export function scriptOf(text: string, source: Source): List {
  const parser = new Parser(tokensOf(text, source), source.isBash);
  const list = parser.list([]);
  parser.end();
  return list;
}

const openers = new Set(['if', 'case', 'for', 'while', 'until', '{', 'function']);
const closers = new Set(['then', 'elif', 'else', 'fi', 'do', 'done', 'esac', '}', 'in']);
/** Of bash, with a grammar of their own. */
const unknownWords = new Set(['select', 'coproc', 'time']);

/** Of compound commands in each other. */
const maxDepth = 50;

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(
    tokens: readonly Token[],
    readonly isBash: boolean,
  ) {
    this.#tokens = tokens;
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw this.#fault();
  }

  /** Commands up to a word or operator of `ends`, which stays. */
  list(ends: readonly string[]): List {
    const items: Item[] = [];
    for (;;) {
      while (this.#isOperator('\n') || this.#isOperator(';')) this.#at += 1;
      if (this.#at >= this.#tokens.length || ends.some((end) => this.#is(end))) {
        // A shell refuses the whole script for an empty list, other than that of a branch of `case`.
        if (items.length === 0 && ends.length > 0 && !ends.includes('esac')) throw this.#fault();
        return items;
      }
      const node = this.#andOr();
      const inBackground = this.#isOperator('&');
      items.push({ node, inBackground });
      if (inBackground || this.#isOperator(';') || this.#isOperator('\n')) this.#at += 1;
      else if (this.#at < this.#tokens.length && !ends.some((end) => this.#is(end))) throw this.#fault();
    }
  }

  #andOr(): Node {
    let left = this.#pipe();
    while (this.#isOperator('&&') || this.#isOperator('||')) {
      const needs = this.#isOperator('&&');
      this.#at += 1;
      this.#lines();
      left = { kind: 'both', left, needs, right: this.#pipe() };
    }
    return left;
  }

  #pipe(): Node {
    const isNegated = this.#keyword() === '!';
    if (isNegated) this.#at += 1;
    const nodes = [this.#command()];
    while (this.#isOperator('|')) {
      this.#at += 1;
      this.#lines();
      nodes.push(this.#command());
    }
    const [only] = nodes;
    return nodes.length === 1 && !isNegated && only !== undefined ? only : { kind: 'pipe', nodes, isNegated };
  }

  #command(): Node {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw this.#fault();
    const node = this.#anyCommand();
    this.#depth -= 1;
    return node;
  }

  #anyCommand(): Node {
    const keyword = this.#keyword();
    if (keyword !== null && (closers.has(keyword) || unknownWords.has(keyword))) throw this.#fault();
    if (this.#isOperator('(') || keyword === '{') {
      const isSubshell = keyword !== '{';
      this.#at += 1;
      const body = this.list([isSubshell ? ')' : '}']);
      this.#take(isSubshell ? ')' : '}');
      return { kind: 'group', body, isSubshell, redirects: this.#redirects() };
    }
    if (keyword === null || !openers.has(keyword)) return this.#simple();
    this.#at += 1;
    const compound = this.#compound(keyword);
    const redirects = this.#redirects();
    if (redirects.length === 0) return compound;
    return {
      kind: 'group',
      body: [{ node: compound, inBackground: false }],
      isSubshell: false,
      redirects,
    };
  }

  #compound(keyword: string): Node {
    if (keyword === 'if') return this.#if();
    if (keyword === 'case') return this.#case();
    if (keyword === 'function') {
      if (!this.isBash) throw this.#fault();
      const name = this.#name();
      if (this.#isOperator('(')) {
        this.#at += 1;
        this.#take(')');
      }
      this.#lines();
      return { kind: 'function', name, body: this.#command() };
    }
    const variable = keyword === 'for' ? this.#name() : null;
    let test: List = [];
    if (variable === null) test = this.list(['do']);
    else {
      this.#lines();
      if (this.#takes('in')) test = [this.#wordsOfFor()];
      while (this.#isOperator(';') || this.#isOperator('\n')) this.#at += 1;
    }
    this.#take('do');
    const body = this.list(['done']);
    this.#take('done');
    return { kind: 'loop', test, body, variable };
  }

  /** As the arguments of `:`, which does nothing else with them. */
  #wordsOfFor(): Item {
    const line = this.#tokens[this.#at]?.line ?? 0;
    const words: Word[] = [{ kind: 'word', parts: [{ kind: 'text', text: ':', quoted: false }], line }];
    while (!this.#isOperator(';') && !this.#isOperator('\n')) words.push(this.#word());
    return { node: { kind: 'simple', assignments: [], words, redirects: [], line }, inBackground: false };
  }

  #if(): Node {
    const branches: { test: List; body: List }[] = [];
    let otherwise: List = [];
    do {
      const test = this.list(['then']);
      this.#take('then');
      branches.push({ test, body: this.list(['elif', 'else', 'fi']) });
    } while (this.#takes('elif'));
    if (this.#takes('else')) otherwise = this.list(['fi']);
    this.#take('fi');
    return { kind: 'if', branches, otherwise };
  }

  #case(): Node {
    const subject = this.#word();
    this.#lines();
    this.#take('in');
    this.#lines();
    const arms: { patterns: readonly Word[]; body: List }[] = [];
    while (!this.#takes('esac')) {
      if (this.#isOperator('(')) this.#at += 1;
      const patterns = [this.#word()];
      while (this.#isOperator('|')) {
        this.#at += 1;
        patterns.push(this.#word());
      }
      this.#take(')');
      arms.push({ patterns, body: this.list([';;', 'esac']) });
      if (this.#isOperator(';;')) this.#at += 1;
      this.#lines();
    }
    return { kind: 'case', subject, arms };
  }

  #simple(): Node {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    const line = this.#tokens[this.#at]?.line ?? 0;
    for (;;) {
      redirects.push(...this.#redirects());
      const token = this.#tokens[this.#at];
      if (token?.kind !== 'word') break;
      this.#at += 1;
      const assigned = words.length === 0 ? assignmentOf(token, this.isBash) : null;
      if (assigned !== null) assignments.push(assigned);
      else if (words.length === 0 && literalOf(token) === '[[') words.push(token, ...this.#condition());
      else words.push(token);
      const [first] = words;
      const list = this.isBash && this.#isOperator('(') ? nameOfList(words, assignments) : null;
      if (list !== null) {
        // `local` and `declare` keep the name alone.
        const last = words.pop();
        if (last === undefined) assignments.pop();
        else words.push({ ...last, parts: [{ kind: 'text', text: list, quoted: false }] });
        assignments.push({ name: last === undefined ? list : '_', value: this.#listOfBash() });
      } else if (this.#isOperator('(')) {
        const name = first === undefined || words.length > 1 ? null : literalOf(first);
        this.#at += 1;
        if (name === null || assignments.length > 0 || !/^[\w-]+$/.test(name)) throw this.#fault();
        this.#take(')');
        this.#lines();
        return { kind: 'function', name, body: this.#command() };
      }
    }
    if (words.length + assignments.length + redirects.length === 0) throw this.#fault();
    return { kind: 'simple', assignments, words, redirects, line };
  }

  /** From `(` to `)`, with line ends and comments between the words. */
  #listOfBash(): Word {
    const words: Word[] = [];
    const line = this.#tokens[this.#at]?.line ?? 0;
    this.#at += 1;
    for (this.#lines(); !this.#takes(')'); this.#lines()) words.push(this.#word());
    return unknownOf(words, line);
  }

  /** The words of `[[ … ]]`; its operators as words that no program has. */
  #condition(): readonly Word[] {
    const words: Word[] = [];
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token === undefined) throw this.#fault();
      this.#at += 1;
      if (token.kind === 'word') {
        words.push(token);
        if (literalOf(token) === ']]') return words;
      } else words.push({ kind: 'word', parts: [{ kind: 'unknown' }], line: token.line });
    }
  }

  #redirects(): readonly Redirect[] {
    const all: Redirect[] = [];
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token?.kind !== 'redirect') return all;
      this.#at += 1;
      all.push({ text: token.text, target: token.body ?? this.#word() });
    }
  }

  #word(): Word {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'word') throw this.#fault();
    this.#at += 1;
    return token;
  }

  #name(): string {
    const name = literalOf(this.#word());
    if (name === null || !/^[A-Za-z_][\w-]*$/.test(name)) throw this.#fault();
    return name;
  }

  #lines(): void {
    while (this.#isOperator('\n')) this.#at += 1;
  }

  #keyword(): string | null {
    const token = this.#tokens[this.#at];
    return token?.kind === 'word' ? literalOf(token) : null;
  }

  #isOperator(text: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === 'operator' && token.text === text;
  }

  #is(text: string): boolean {
    return this.#isOperator(text) || this.#keyword() === text;
  }

  #takes(text: string): boolean {
    const isThere = this.#is(text);
    if (isThere) this.#at += 1;
    return isThere;
  }

  #take(text: string): void {
    if (!this.#takes(text)) throw this.#fault();
  }

  #fault(): Unreadable {
    return new Unreadable(this.#tokens[Math.min(this.#at, this.#tokens.length - 1)]?.line ?? 1);
  }
}
