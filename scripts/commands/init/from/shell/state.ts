// What is known while a script is followed: variables, functions, the time that has passed, and the shutdown that was begun.
import { resultOf } from './arithmetic.js';
import type { Command } from './verdict.js';
import type { Words } from './programs.js';
import type { Node } from './tree.js';
import type { Part } from './words.js';

export interface Down {
  readonly seconds: number;
  readonly command: Command;
  readonly needsRoot: boolean;
  readonly waits: 'no' | 'script' | 'shutdown';
}

/** A function that may be defined, or in two ways. */
const anything: Node = {
  kind: 'simple',
  assignments: [],
  words: [{ kind: 'word', parts: [{ kind: 'unknown' }], line: 0 }],
  redirects: [],
  line: 0,
};

/** Null where a word may stand for none or several: its value is not known, or a pattern of files. */
export const argsOf = (words: Words): Words | null =>
  words.some((word) => word === null || /[*?[{~]/.test(word)) ? null : words;

/** Options of `set`, and the name after -o. */
const inEachShell = /^[-+][abefuvx]* (?:allexport|errexit|noglob|notify|nounset|verbose|xtrace|)$/;

export class ShellState {
  /** From $1 on; null where not even their number is known. */
  args: Words | null;
  /** Null: set, but not known. What is not here may not be set. */
  readonly variables: Map<string, string | null>;
  readonly functions: Map<string, Node>;
  /** Seconds; null where it is not known. */
  elapsed: number | null = 0;
  down: Down | null = null;
  /** Variables of the function that is followed. */
  locals: ReadonlySet<string> = new Set();
  /** The shell has the forms of bash. */
  isBash = false;
  /** `set -e`. */
  endsAtFailure = false;
  /** `set -u`. */
  endsAtUnset = false;
  /** A line at which it may have ended; null: it has come here for certain. */
  endedAt: number | null = null;
  #ended: 'no' | 'function' | 'script' = 'no';

  constructor(
    args: Words | null,
    variables: ReadonlyMap<string, string | null>,
    functions: ReadonlyMap<string, Node> = new Map(),
  ) {
    this.args = args;
    this.variables = new Map(variables);
    this.functions = new Map(functions);
  }

  get hasEnded(): boolean {
    return this.#ended !== 'no';
  }

  copy(): ShellState {
    const copy = new ShellState(this.args, this.variables, this.functions);
    copy.elapsed = this.elapsed;
    copy.locals = this.locals;
    copy.down = this.down;
    copy.isBash = this.isBash;
    copy.endsAtFailure = this.endsAtFailure;
    copy.endsAtUnset = this.endsAtUnset;
    copy.endedAt = this.endedAt;
    copy.#ended = this.#ended;
    return copy;
  }

  /** After one of several ways. */
  merge(copies: readonly ShellState[]): void {
    // What a way sets that ends the script is lost, but not the time that it took: the script may be a part of another.
    const going = copies.filter((copy) => copy.#ended !== 'script');
    const rest = going.length === 0 ? copies : going;
    const [first] = rest;
    if (first === undefined) return;
    const isAtOneEnd = copies.every((copy) => copy.#ended === first.#ended);
    this.#ended = isAtOneEnd ? first.#ended : 'no';
    this.endedAt = copies.find(({ endedAt }) => endedAt !== null)?.endedAt ?? (isAtOneEnd ? null : 0);
    this.down = first.down;
    this.elapsed = copies.every(({ elapsed }) => elapsed === first.elapsed) ? first.elapsed : null;
    this.endsAtFailure = rest.some((copy) => copy.endsAtFailure);
    this.endsAtUnset = rest.some((copy) => copy.endsAtUnset);
    this.locals = new Set(rest.flatMap((copy) => [...copy.locals]));
    this.args = rest.every(({ args }) => args === first.args) ? first.args : null;
    for (const name of new Set([this, ...rest].flatMap((copy) => [...copy.variables.keys()]))) {
      const value = first.variables.get(name) ?? null;
      if (rest.every((copy) => copy.variables.has(name)))
        this.variables.set(name, rest.every((copy) => copy.variables.get(name) === value) ? value : null);
      else this.variables.delete(name);
    }
    for (const name of new Set(rest.flatMap((copy) => [...copy.functions.keys()]))) {
      const body = first.functions.get(name);
      const isSame = body !== undefined && rest.every((copy) => copy.functions.get(name) === body);
      this.functions.set(name, isSame ? body : anything);
    }
  }

  end(ofFunction: boolean): void {
    this.#ended = ofFunction ? 'function' : 'script';
  }

  /** With what was there before it. */
  endFunction({ args, locals }: Pick<ShellState, 'args' | 'locals'>): void {
    this.args = args;
    for (const name of this.locals) this.variables.delete(name);
    this.locals = locals;
    if (this.#ended === 'function') this.#ended = 'no';
  }

  mayEnd(line: number): void {
    this.endedAt ??= line;
  }

  /** After a command whose failure `set -e` does not excuse. */
  ran(node: Node, status: boolean | null): boolean | null {
    const isCommand =
      node.kind === 'simple' || (node.kind === 'group' ? node.isSubshell : node.kind === 'pipe');
    const isExcused = !isCommand || (node.kind === 'pipe' && node.isNegated);
    if (this.endsAtFailure && status !== true && !isExcused) this.mayEnd(0);
    return status;
  }

  /** In a condition `set -e` ends nothing. */
  tests(work: () => boolean | null): boolean | null {
    const { endsAtFailure } = this;
    this.endsAtFailure = false;
    const status = work();
    this.endsAtFailure ||= endsAtFailure;
    return status;
  }

  /** Of the output of commands, null. A value that is no number may end the script in arithmetic. */
  valueOf(part: Part): string | null {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'unknown') this.#mayBeUnset();
    if (part.kind === 'arithmetic') {
      const result = resultOf(part.expression, (name) => this.#given(name));
      if (result === null) this.mayEnd(0);
      return result;
    }
    if (part.kind !== 'variable') return null;
    const { name, fallback, operator } = part;
    const value = this.#given(name);
    if (fallback === null) {
      if (operator === '?' && (value === null || value === '')) this.mayEnd(0);
      if (!this.#isSet(name)) this.#mayBeUnset();
      return value;
    }
    // Where it is not known whether it is set, neither value is known.
    const used = value === '' ? fallback : value;
    if (operator === '=') this.variables.set(name, used);
    return used;
  }

  #mayBeUnset(): void {
    if (this.endsAtUnset) this.mayEnd(0);
  }

  #isSet(name: string): boolean {
    if (/^[1-9]\d*$/.test(name)) return this.args !== null && this.args.length >= Number(name);
    // Some shells take `$@` without arguments for one that is not set.
    if (name === '@' || name === '*') return this.args !== null && this.args.length > 0;
    return /^[0#?$-]$/.test(name) || this.variables.has(name);
  }

  #given(name: string): string | null {
    if (/^\d+$/.test(name)) {
      if (name === '0') return null;
      if (this.args === null) return null;
      const value = this.args[Number(name) - 1];
      return value === undefined ? '' : value;
    }
    if (name === '#') return this.args === null ? null : String(this.args.length);
    if (name === '@' || name === '*') return this.args?.includes(null) === false ? this.args.join(' ') : null;
    return this.variables.get(name) ?? null;
  }

  /** What a builtin does to this state. `shell`: no command of the operator. */
  builtin(words: Words): 'ended' | 'shell' | 'no' {
    const [name, ...rest] = words;
    // Of these only `sleep` is a program too.
    const isSleep = /^(?:\/\S*\/)?sleep$/.test(name ?? '');
    switch (isSleep ? 'sleep' : (name ?? '')) {
      case 'sleep':
        this.#sleep(rest);
        return 'shell';
      case 'wait':
        this.elapsed = null;
        return 'shell';
      case 'shift':
        this.#shift(rest[0] === undefined ? '1' : rest[0]);
        return 'shell';
      case 'set':
        this.#set(rest);
        return 'shell';
      case 'export':
      case 'readonly':
      case 'local':
      case 'declare':
        for (const word of rest) this.#assign(word, name === 'local' || name === 'declare');
        return 'shell';
      case 'read':
        // With a time it waits, unless a line comes.
        if (rest.some((word) => word === null || /^-\w*t/.test(word))) this.elapsed = null;
        this.#forget(rest);
        return 'shell';
      case 'unset':
        this.#forget(rest);
        return 'shell';
      case 'break':
      case 'continue':
        this.mayEnd(0);
        return 'shell';
      case 'exit':
      case 'return':
        return 'ended';
      case 'true':
      case ':':
      case 'false':
      case 'cd':
      case 'umask':
        return 'shell';
      default:
        return 'no';
    }
  }

  #forget(names: Words): void {
    if (names.includes(null)) this.variables.clear();
    for (const name of names) this.variables.delete(name ?? '');
  }

  #assign(word: string | null, isLocal: boolean): void {
    const [, name, value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(word ?? '') ?? [];
    if (name !== undefined && value !== undefined) this.variables.set(name, value);
    // Without a value it is not set in bash, and as before in dash.
    else if (isLocal) this.variables.delete(name ?? '');
    if (isLocal)
      this.locals = new Set([...this.locals, ...(word === null ? this.variables.keys() : [name ?? ''])]);
    // A value that is not known comes as a word that is not known.
    if (word === null) for (const one of this.variables.keys()) this.variables.set(one, null);
  }

  /** A shell ends at an option that it does not have, and runs nothing more with `-n`. */
  #set(words: Words): void {
    const rest = [...words];
    for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
      if (word === '--' || (word !== null && !/^[-+]/.test(word))) {
        this.args = argsOf(word === '--' ? rest : [word, ...rest]);
        return;
      }
      const name = word?.endsWith('o') === true ? (rest.shift() ?? '?') : '';
      const all = word === null ? '?' : `${word.replace(/o$/, '')} ${name}`;
      if (/^-[a-z]*e|\?| errexit$/.test(all)) this.endsAtFailure = true;
      if (/^-[a-z]*u|\?| nounset$/.test(all)) this.endsAtUnset = true;
      if (!inEachShell.test(all)) this.mayEnd(0);
      if (word === null || word === '-') this.args = null;
    }
  }

  /** A shell ends at a shift beyond the last argument. */
  #shift(word: string | null): void {
    const count = word !== null && /^\d$/.test(word) ? Number(word) : null;
    const isWithin = this.args !== null && count !== null && count <= this.args.length;
    if (!isWithin) this.mayEnd(0);
    this.args = isWithin ? (this.args?.slice(count) ?? null) : null;
  }

  /** How much is known: falls with each thing that is not known any more. */
  get known(): number {
    const values = [...this.variables.values()].reduce((sum, value) => sum + (value === null ? 1 : 2), 0);
    const isRunning = [this.endedAt === null, !this.endsAtFailure, !this.endsAtUnset];
    const flags = [this.args !== null, this.elapsed !== null, ...isRunning];
    const functions = [...this.functions.values()].filter((body) => body !== anything).length;
    return values + functions + flags.filter((flag) => flag).length;
  }

  /** The units of coreutils; their sum. */
  #sleep(words: Words): void {
    const units: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };
    for (const word of words) {
      const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(word ?? '') ?? [];
      this.elapsed =
        this.elapsed === null || number === undefined
          ? null
          : this.elapsed + Math.ceil(Number(number) * (units[unit] ?? 1));
    }
    if (words.length === 0) this.elapsed = null;
  }
}
