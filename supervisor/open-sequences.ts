// Sequences that were asked for before this daemon started and had not ended: taken up again, or dropped because the
// power has come back meanwhile. A decision stands until a fresh reading speaks against it.
import type { PolicyState } from './policy/state.js';
import { isSeenOnBattery, powerIsBack } from './policy/power.js';

/** Contract 4: a resumed sequence looks at a fresh reading first, but never longer than this. */
const longestLookMs = 15_000;

export interface OpenSequence {
  readonly group: string;
  readonly trigger: string;
  readonly why: string;
}

export class OpenSequences {
  #open: readonly OpenSequence[];
  readonly #startedMs: number;

  constructor(open: readonly OpenSequence[], nowMs: number) {
    this.#open = open;
    this.#startedMs = nowMs;
  }

  /** To be asked after every input: what is to be run now, and what is to be dropped. Each is told once. */
  settle(
    state: PolicyState,
    nowMs: number,
  ): { readonly run: readonly OpenSequence[]; readonly drop: readonly OpenSequence[] } {
    if (this.#open.length === 0) return { run: [], drop: [] };
    const drop = this.#open.filter(({ group }) => powerIsBack(state, group));
    const run = this.#open.filter(
      (one) =>
        !drop.includes(one) &&
        (nowMs - this.#startedMs >= longestLookMs || isSeenOnBattery(state, one.group, this.#startedMs)),
    );
    this.#open = this.#open.filter((one) => !drop.includes(one) && !run.includes(one));
    return { run, drop };
  }
}
