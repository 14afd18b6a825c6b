// Asks a person at the terminal. Answers that are typed ahead are kept for the questions to come.
import type { Interface } from 'node:readline';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { printable } from './printable.js';

/** Null when the person ends it (Ctrl-C, Ctrl-D): ask nothing more. */
export interface Questions {
  readonly ask: (prompt: string) => Promise<string | null>;
  /** Without an echo. */
  readonly askHidden: (prompt: string) => Promise<string | null>;
  /** Text between questions. */
  readonly say: (text: string) => void;
}

export class TerminalQuestions implements Questions {
  #isHidden = false;
  #hasEnded = false;
  readonly #typed: string[] = [];
  #take: ((line: string | null) => void) | undefined;
  readonly #lines: Interface;

  constructor() {
    // Standard output may be the configuration.
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (this.#isHidden) done();
        else process.stderr.write(chunk, done);
      },
    });
    this.#lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
    this.#lines.on('line', (line) => {
      if (this.#take === undefined) this.#typed.push(line);
      else this.#take(line);
    });
    this.#lines.once('SIGINT', () => this.#lines.close());
    this.#lines.once('close', () => {
      this.#hasEnded = true;
      this.#take?.(null);
    });
  }

  ask(prompt: string): Promise<string | null> {
    this.#lines.setPrompt(printable(prompt));
    return this.#next(() => this.#lines.prompt());
  }

  async askHidden(prompt: string): Promise<string | null> {
    this.say(prompt);
    this.#isHidden = true;
    const line = await this.#next(() => undefined);
    this.#isHidden = false;
    this.say('\n');
    return line;
  }

  say(text: string): void {
    process.stderr.write(printable(text));
  }

  close(): void {
    this.#lines.close();
  }

  #next(show: () => void): Promise<string | null> {
    if (this.#hasEnded) return Promise.resolve(null);
    show();
    const typed = this.#typed.shift();
    if (typed !== undefined) return Promise.resolve(typed);
    return new Promise((resolve) => {
      this.#take = (line) => {
        this.#take = undefined;
        resolve(line);
      };
    });
  }
}
