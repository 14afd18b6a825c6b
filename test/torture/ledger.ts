// The results of a long run, one line each in a file, so that a later run continues it. Cases that kept every promise are
// not run again; cases that broke one are.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Case } from './fault.js';
import { caseName } from './fault.js';
import type { CaseResult } from './checker.js';

export class Ledger {
  readonly #file: string | undefined;
  readonly #held = new Map<string, CaseResult>();
  #earlierSeconds = 0;

  /** Without a file nothing is kept. */
  constructor(file: string | undefined) {
    this.#file = file;
    if (file === undefined || !existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
      const entry = JSON.parse(line) as CaseResult | { readonly tookSeconds: number };
      if ('tookSeconds' in entry) this.#earlierSeconds += entry.tookSeconds;
      else if (entry.broken.length === 0) this.#held.set(keyOf(entry.of), entry);
      else this.#held.delete(keyOf(entry.of));
    }
  }

  /** How long earlier runs of this ledger took. */
  get earlierSeconds(): number {
    return this.#earlierSeconds;
  }

  heldOf(of: Case): CaseResult | undefined {
    return this.#held.get(keyOf(of));
  }

  note(entry: CaseResult | { readonly tookSeconds: number }): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
  }
}

function keyOf(of: Case): string {
  return `${caseName(of)} ${String(of.seed)}`;
}
