// Open sequences: requested, not running and not ended. A previous daemon left them, or an exception of this daemon lost them.
// Each is resumed, or dropped when power is back. Without a fresh reading it is resumed; past the point of no return it is
// never dropped.
import type { PolicyState } from '../../policy/state.js';
import { isSeenOnBattery, powerIsBack } from '../../policy/power.js';
import type { SequenceHistory } from '../journal/history.js';
import { isCommitted } from '../journal/history.js';
import type { Cause } from '../journal/record.js';

/** Longest wait of a resumed sequence for a fresh reading (specification/sequence.md#restart-during-a-sequence). */
const maxReadingWaitMs = 15_000;

export interface OpenSequence {
  readonly group: string;
  readonly cause: Cause;
  /** Its progress; null without a journal: no step is known to have started. */
  readonly history: SequenceHistory | null;
}

export class OpenSequences {
  #open: readonly OpenSequence[];
  readonly #startedMs: number;

  constructor(open: readonly OpenSequence[], nowMs: number) {
    this.#open = open;
    this.#startedMs = nowMs;
  }

  get any(): boolean {
    return this.#open.length > 0;
  }

  has(group: string): boolean {
    return this.#open.some((sequence) => sequence.group === group);
  }

  /** Adds sequences whose start an exception interrupted. */
  add(open: readonly OpenSequence[]): void {
    this.#open = [...this.#open, ...open];
  }

  /** Called after every input. Returns the sequences to run now and those to drop, each once. */
  settle(
    state: PolicyState,
    nowMs: number,
  ): { readonly run: readonly OpenSequence[]; readonly drop: readonly OpenSequence[] } {
    if (this.#open.length === 0) return { run: [], drop: [] };
    const committed = ({ history }: OpenSequence) => history !== null && isCommitted(history);
    const drop = this.#open.filter((open) => !committed(open) && powerIsBack(state, open.group));
    const run = this.#open.filter(
      (open) =>
        !drop.includes(open) &&
        (committed(open) ||
          nowMs - this.#startedMs >= maxReadingWaitMs ||
          isSeenOnBattery(state, open.group, this.#startedMs)),
    );
    this.#open = this.#open.filter((open) => !drop.includes(open) && !run.includes(open));
    return { run, drop };
  }
}
