// The results of conditions, one line each in a file, so that a later run continues it. What passed is not played again.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Outcome } from './outcome.js';

export interface Result extends Outcome {
  readonly name: string;
  readonly seconds: number;
}

export class Ledger {
  readonly #file: string | undefined;
  readonly #passed = new Map<string, Result>();

  /** Without a file nothing is kept. */
  constructor(file: string | undefined) {
    this.#file = file;
    if (file === undefined || !existsSync(file)) return;
    // What follows the last line break was cut off.
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
      const result = JSON.parse(line) as Result;
      if (result.failed === 0) this.#passed.set(result.name, result);
      else this.#passed.delete(result.name);
    }
  }

  passed(name: string): Result | undefined {
    return this.#passed.get(name);
  }

  add(result: Result): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(result)}\n`);
  }
}
