// One value that a worker keeps: the newest wins, and it is sent until the worker has it. What the worker has kept for an earlier
// daemon is recalled before it is replaced.
import type { Outcome } from '../../shared/protocol/contract.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { Turns } from './turns.js';

export interface KeptValueOptions<T> {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly write: (value: T) => Promise<Outcome<unknown>>;
  /** By which a change is found; without it JSON. */
  readonly textOf?: (value: T) => string;
  /** Reads what is kept. Without it the first value is written whatever is there. */
  readonly recall?: () => Promise<Outcome<T>>;
  readonly recalled?: (value: T) => void;
  /** An operator may have replaced the database: how old a value may be that is written again; null: it is not. */
  readonly rewriteMs?: (value: T) => number | null;
}

export class KeptValue<T> {
  readonly #options: KeptValueOptions<T>;
  readonly #turns: Turns;
  #value: { readonly value: T; readonly text: string } | undefined;
  /** What the worker has, as JSON; undefined while that is not known. */
  #kept: string | undefined;
  #isRecalled: boolean;
  #writtenMs = 0;

  constructor(options: KeptValueOptions<T>) {
    this.#options = options;
    this.#isRecalled = options.recall === undefined;
    this.#turns = new Turns(options.clock, () => this.#next());
  }

  /** Call it at every change, and at every tick. An object that has changed is another object. */
  keep(value: T): void {
    // While the worker does not answer the same value comes at every tick.
    if (this.#value === undefined || value !== this.#value.value)
      this.#value = { value, text: this.#textOf(value) };
    this.#turns.tick();
  }

  #textOf(value: T): string {
    return (this.#options.textOf ?? JSON.stringify)(value);
  }

  /** The worker is ready. */
  ready(): void {
    this.#turns.ready();
  }

  #next(): (() => Promise<boolean>) | undefined {
    if (!this.#isRecalled) return () => this.#recall();
    const wanted = this.#value;
    if (wanted === undefined || (wanted.text === this.#kept && !this.#isOld(wanted.value))) return undefined;
    return () => this.#write(wanted.value, wanted.text);
  }

  #isOld(value: T): boolean {
    const rewriteMs = this.#options.rewriteMs?.(value) ?? null;
    return rewriteMs !== null && this.#options.clock.monotonicMs() - this.#writtenMs >= rewriteMs;
  }

  async #recall(): Promise<boolean> {
    const { recall, recalled, clock } = this.#options;
    const outcome = await recall?.();
    if (outcome?.ok !== true) return false;
    this.#isRecalled = true;
    this.#kept = this.#textOf(outcome.value);
    this.#writtenMs = clock.monotonicMs();
    // It did not know what is recalled.
    this.#value = undefined;
    recalled?.(outcome.value);
    return true;
  }

  async #write(value: T, text: string): Promise<boolean> {
    const { ok } = await this.#options.write(value);
    // A request without an answer may have been committed.
    this.#kept = ok ? text : undefined;
    this.#writtenMs = this.#options.clock.monotonicMs();
    return ok;
  }
}
