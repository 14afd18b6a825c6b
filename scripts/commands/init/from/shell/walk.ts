// Follows what is certain of a script. Where two paths are possible and one of them shuts down, it is Unsure. Pure.
import { conditional, maxSteps, ofBash, Unsure } from './unsure.js';
import { conditionOf, isOfBash, matches } from './conditions.js';
import type { Command, Remote, Status } from './verdict.js';
import type { UnknownCall } from './called-scripts.js';
import type { Called } from './forms.js';
import { hasFormsOfBash, isAllArguments, isSame, isText, shells, shown } from './forms.js';
import type { Effect, Words } from './programs.js';
import { effectOf, startsNothing, unwrapWords } from './programs.js';
import type { ShellState } from './state.js';
import { argsOf } from './state.js';
import { scriptOf } from './syntax.js';
import type { List, Node } from './tree.js';
import { commandInDoubt, roundsOf, wordsOfFor } from './ways.js';
import type { Word } from './words.js';

export class Walk {
  readonly remotes: Remote[] = [];
  readonly others: Command[] = [];
  readonly unknowns: UnknownCall[] = [];
  cancels = false;
  #depth = 0;
  /** Of the last commands whose output a word has. */
  #output: Status = true;
  #steps = 0;
  #calls = 0;
  /** A condition of bash in a script for any shell. */
  #isOfBash = false;

  constructor(readonly shutdownCommand: readonly string[]) {}

  list(list: List, state: ShellState): Status {
    let status: Status = true;
    for (const { node, inBackground } of list) {
      if (state.hasEnded) break;
      if (inBackground) this.#apart(state, (copy) => this.#node(node, copy), true);
      else status = state.ran(node, this.#node(node, state));
    }
    return status;
  }

  #node(node: Node, state: ShellState): Status {
    switch (node.kind) {
      case 'simple':
        return this.#simple(node, state);
      case 'both': {
        const left = state.tests(() => this.#node(node.left, state));
        const right = (copy: ShellState): Status => copy.ran(node.right, this.#node(node.right, copy));
        if (left === null) return this.#either(state, [right, () => null]);
        return left === node.needs && !state.hasEnded ? right(state) : left;
      }
      case 'pipe': {
        let status: Status = null;
        const [only] = node.nodes;
        if (node.nodes.length === 1 && only !== undefined)
          status = state.tests(() => this.#node(only, state));
        // Each is a process of its own; the last one ends the pipe.
        else
          for (const one of node.nodes) status = this.#apart(state, (copy) => this.#node(one, copy), false);
        return status === null || !node.isNegated ? status : !status;
      }
      case 'group':
        for (const { target } of node.redirects) this.#value(target, state);
        if (!node.isSubshell) return this.list(node.body, state);
        return this.#apart(state, (copy) => this.list(node.body, copy), false);
      case 'function':
        state.functions.set(node.name, node.body);
        return true;
      case 'if':
        return this.#if(node, state);
      case 'case':
        return this.#case(node, state);
      case 'loop':
        return this.#loop(node, state);
    }
  }

  #if({ branches, otherwise }: Extract<Node, { kind: 'if' }>, state: ShellState): Status {
    const [first, ...rest] = branches;
    if (first === undefined) return this.list(otherwise, state);
    const test = state.tests(() => this.list(first.test, state));
    if (state.hasEnded) return null;
    const then = (copy: ShellState): Status => this.list(first.body, copy);
    const other = (copy: ShellState): Status => this.#if({ kind: 'if', branches: rest, otherwise }, copy);
    if (test !== null) return (test ? then : other)(state);
    return this.#either(state, [then, other]);
  }

  #case({ subject, arms }: Extract<Node, { kind: 'case' }>, state: ShellState): Status {
    const value = this.#value(subject, state);
    const possible: ((copy: ShellState) => Status)[] = [];
    for (const { patterns, body } of arms) {
      const found = patterns.map((pattern) => matches(value, pattern, state));
      if (found.every((one) => one === false)) continue;
      possible.push((copy) => this.list(body, copy));
      if (!found.includes(true)) continue;
      return possible.length === 1 ? this.list(body, state) : this.#either(state, possible);
    }
    return possible.length === 0 ? true : this.#either(state, [...possible, () => true]);
  }

  #loop({ test, body, variable }: Extract<Node, { kind: 'loop' }>, state: ShellState): Status {
    const words = variable === null ? null : wordsOfFor(test);
    const values = words?.flatMap((word) => this.#fields(word, state.copy())) ?? [null];
    if (variable !== null) state.tests(() => this.list(test, state));
    const rounds = roundsOf(values).map((value) => (copy: ShellState): Status => {
      const { elapsed } = copy;
      if (variable === null) copy.tests(() => this.list(test, copy));
      else copy.variables.set(variable, value);
      this.list(body, copy);
      if (variable === null || elapsed !== copy.elapsed) copy.elapsed = null;
      return null;
    });
    // Each round may find what the one before has set, until nothing more becomes unknown.
    for (let before = NaN; before !== state.known;) {
      before = state.known;
      this.#either(state, [...rounds, () => null]);
    }
    return null;
  }

  /** In a process of its own: what it sets and where it ends stays there. */
  #apart(state: ShellState, work: (copy: ShellState) => Status, inBackground: boolean): Status {
    const copy = state.copy();
    const status = work(copy);
    state.down = copy.down;
    const mayEnd = copy.endedAt !== state.endedAt;
    if (!inBackground) state.elapsed = mayEnd && copy.elapsed !== state.elapsed ? null : copy.elapsed;
    return mayEnd ? null : status;
  }

  /** One of several ways, and it is not known which. */
  #either(state: ShellState, ways: readonly ((copy: ShellState) => Status)[]): Status {
    const copies = ways.map((way) => {
      const copy = state.copy();
      way(copy);
      return copy;
    });
    const doubtful = commandInDoubt(copies, state.down);
    if (doubtful !== null) throw new Unsure(this.#conditional, doubtful);
    state.merge(copies);
    return null;
  }

  #simple(
    { assignments, words, redirects, line }: Extract<Node, { kind: 'simple' }>,
    state: ShellState,
  ): Status {
    this.#steps += 1;
    if (this.#steps > maxSteps) throw new Unsure('too many steps', { line, text: 'the script' });
    this.#output = true;
    for (const { name, value } of assignments) {
      const set = this.#value(value, state);
      if (words.length === 0) state.variables.set(name, set);
      else state.variables.delete(name);
    }
    const values = words.flatMap((word) => this.#fields(word, state));
    const targets = redirects
      .filter(({ text }) => text !== '<<')
      .map(({ target }) => this.#value(target, state));
    for (const { text, target } of redirects) if (text === '<<') this.#value(target, state);
    if (values.length === 0) return this.#output;
    const [name] = values;
    const called = name === null || name === undefined ? undefined : state.functions.get(name);
    if (called !== undefined) return this.#call(called, values, state);
    const isWritten = redirects.some(
      ({ text }, index) => text.includes('>') && !startsNothing(targets[index] ?? '/dev/x', values),
    );
    return this.#program(values, { line, isWritten, words }, state);
  }

  #call(body: Node, values: Words, state: ShellState): Status {
    if (this.#depth >= 10)
      throw new Unsure('a function that calls itself', { line: 0, text: values[0] ?? '' });
    this.#depth += 1;
    this.#calls += 1;
    const { args, locals } = state;
    state.args = argsOf(values.slice(1));
    state.locals = new Set();
    const status = this.#node(body, state);
    state.endFunction({ args, locals });
    this.#depth -= 1;
    this.#calls -= 1;
    return status;
  }

  #program(
    values: Words,
    { line, isWritten, words }: { line: number; isWritten: boolean; words: readonly Word[] },
    state: ShellState,
  ): Status {
    // With redirections alone it starts nothing.
    const isBareExec = values.length === 1 && values[0] === 'exec';
    if (isBareExec && !isWritten) return true;
    const inner = unwrapWords(values);
    const program = inner?.words ?? values;
    const name = program[0] ?? '…';
    const command: Command = { line, text: `${inner?.asRoot === true ? 'sudo ' : ''}${shown(program)}` };
    const script = shells.test(name) && program[1] === '-c' && program.length === 3 ? program[2] : undefined;
    if (script !== undefined && script !== null) return this.#text(script, line, state, hasFormsOfBash(name));
    const effect: Effect = isSame(program, this.shutdownCommand)
      ? { kind: 'down', seconds: 0, needsRoot: true }
      : inner === null || isWritten
        ? { kind: 'unknown' }
        : effectOf(program);
    const ends = name === 'exit' || name === 'return' || (values[0] === 'exec' && !isBareExec);
    const status = this.#effect(effect, { program, command, asRoot: inner?.asRoot === true, words }, state);
    // Outside a function bash refuses it and goes on; other shells end the script.
    if (name === 'return' && this.#calls === 0) state.mayEnd(line);
    else if (ends) state.end(name === 'return');
    return status;
  }

  #effect(effect: Effect, { program, command, asRoot, words }: Called, state: ShellState): Status {
    switch (effect.kind) {
      case 'down':
        this.#goesDown(effect, { command, asRoot }, state);
        return null;
      case 'cancel':
        if (state.down !== null) throw new Unsure('it takes its own shutdown back', command);
        this.cancels = true;
        return null;
      case 'remote':
        this.remotes.push({ ...command, ...effect });
        return null;
      case 'unknown':
        this.others.push(command);
        this.unknowns.push({ ...command, program });
        // What it reads or runs may change everything that follows.
        if (/^(?:\.|source|eval|exec|trap|alias|enable|builtin)$/.test(program[0] ?? '.'))
          state.mayEnd(command.line);
        return null;
      case 'harmless': {
        const builtin = state.builtin(program);
        if (builtin === 'ended') return null;
        if (builtin === 'shell') return effect.succeeds ? true : null;
        if (!isText.test(program[0] ?? '')) this.others.push(command);
        const isDoubtful = !state.isBash && isOfBash(program);
        this.#isOfBash ||= isDoubtful;
        if (isDoubtful) return null;
        return conditionOf(program, words) ?? (effect.succeeds ? true : null);
      }
    }
  }

  #goesDown(
    { seconds, needsRoot }: Extract<Effect, { kind: 'down' }>,
    { command, asRoot }: { command: Command; asRoot: boolean },
    state: ShellState,
  ): void {
    if (state.endedAt !== null) throw new Unsure(this.#conditional, command);
    if (state.elapsed === null) throw new Unsure('how long it waits before is not known', command);
    const at = state.elapsed + seconds;
    if (state.down !== null && state.down.seconds <= at) return;
    state.down = {
      seconds: at,
      command,
      needsRoot: needsRoot && !asRoot,
      waits: state.elapsed > 0 ? 'script' : seconds > 0 ? 'shutdown' : 'no',
    };
  }

  get #conditional(): string {
    return this.#isOfBash ? ofBash : conditional;
  }

  /** A text that a shell of its own runs. */
  #text(text: string, firstLine: number, state: ShellState, isBash: boolean): Status {
    if (this.#depth >= 10) throw new Unsure('a script in a script', { line: firstLine, text: 'sh -c' });
    this.#depth += 1;
    const follow = (copy: ShellState): Status => {
      copy.isBash = isBash;
      return this.list(scriptOf(text, { firstLine, isBash }), copy);
    };
    const status = this.#apart(state, follow, false);
    this.#depth -= 1;
    return status;
  }

  /** The value of a word as one text; commands in it are followed. */
  #value(word: Word, state: ShellState): string | null {
    let text: string | null = '';
    for (const part of word.parts) {
      const value = state.valueOf(part);
      if (part.kind === 'output') this.#output = this.#text(part.script, part.line, state, state.isBash);
      text = text === null || value === null ? null : text + value;
    }
    return text;
  }

  /** A word without quotes splits at white space, and may be none. */
  #fields(word: Word, state: ShellState): Words {
    if (isAllArguments(word)) return state.args ?? [null];
    const value = this.#value(word, state);
    const splits = word.parts.some((part) => part.kind !== 'text' && 'quoted' in part && !part.quoted);
    if (value === null || !splits) return [value];
    if (state.variables.has('IFS')) return [null];
    return value.split(/[ \t\n]+/).filter((one) => one !== '');
  }
}
