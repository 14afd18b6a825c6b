// Sequences that were asked for and neither run nor have ended: a daemon before this one left them, or an exception of
// this one has lost them. They are resumed, or dropped because the power has come back meanwhile. A decision stands until
// a fresh reading speaks against it; past the point of no return nothing does.
import type { PolicyState } from '../../policy/state.js';
import { isSeenOnBattery, powerIsBack } from '../../policy/power.js';
import type { SequenceHistory } from '../journal/summary.js';
import { isCommitted } from '../journal/summary.js';
import type { Cause } from '../journal/record.js';

/** Longest wait of a resumed sequence for a fresh reading (specification/sequence.md#restart-during-a-sequence). */
const longestLookMs = 15_000;

export interface OpenSequence {
  readonly group: string;
  readonly cause: Cause;
  /** How far it had come; null without a journal: nothing of it is known to have begun. */
  readonly history: SequenceHistory | null;
}

export class OpenSequences {
  #open: readonly OpenSequence[];
  readonly #startedMs: number;

  constructor(open: readonly OpenSequence[], nowMs: number) {
    this.#open = open;
    this.#startedMs = nowMs;
  }

  has(group: string): boolean {
    return this.#open.some((one) => one.group === group);
  }

  /** More of them, whose start an exception has lost. */
  add(open: readonly OpenSequence[]): void {
    this.#open = [...this.#open, ...open];
  }

  /** To be asked after every input: what is to be run now, and what is to be dropped. Each is told once. */
  settle(
    state: PolicyState,
    nowMs: number,
  ): { readonly run: readonly OpenSequence[]; readonly drop: readonly OpenSequence[] } {
    if (this.#open.length === 0) return { run: [], drop: [] };
    const mustGoOn = ({ history }: OpenSequence) => history !== null && isCommitted(history);
    const drop = this.#open.filter((one) => !mustGoOn(one) && powerIsBack(state, one.group));
    const run = this.#open.filter(
      (one) =>
        !drop.includes(one) &&
        (mustGoOn(one) ||
          nowMs - this.#startedMs >= longestLookMs ||
          isSeenOnBattery(state, one.group, this.#startedMs)),
    );
    this.#open = this.#open.filter((one) => !drop.includes(one) && !run.includes(one));
    return { run, drop };
  }
}
