// Groups with an open sequence that is not yet resumed or dropped: a previous daemon left it open, or an exception
// interrupted its start. Every wait for them is bounded.
import type { SetTimer } from '../host/timer.js';

/** A restarted daemon settles everything within 15 s, plus a tick (specification/sequence.md#restart-during-a-sequence). */
const maxWaitMs = 16_000;

interface Waiter {
  readonly isFor: (group: string) => boolean;
  readonly release: () => void;
}

export class PendingRecovery {
  readonly #setTimer: SetTimer;
  #groups: ReadonlySet<string> = new Set();
  #waiters: readonly Waiter[] = [];

  constructor(setTimer: SetTimer) {
    this.#setTimer = setTimer;
  }

  setGroups(groups: readonly string[]): void {
    this.#groups = new Set(groups);
  }

  /** Adds a group whose start threw; the start is repeated. */
  add(group: string): void {
    this.#groups = new Set([...this.#groups, group]);
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  /** The sequence of the group runs, or was dropped. */
  settled(group: string): void {
    this.#groups = new Set([...this.#groups].filter((other) => other !== group));
    const ready = this.#waiters.filter(({ isFor }) => !this.#hasAny(isFor));
    this.#waiters = this.#waiters.filter((waiter) => !ready.includes(waiter));
    // A waiter continues in a later microtask, when the sequence of the group runs or was dropped.
    for (const { release } of ready) release();
  }

  /** Settles when no matching group is pending, at the latest after `maxWaitMs`; null when none is pending now. */
  whenSettled(isFor: (group: string) => boolean): Promise<void> | null {
    if (!this.#hasAny(isFor)) return null;
    return new Promise((resolve) => {
      const cancel = this.#setTimer(maxWaitMs, resolve);
      const release = () => {
        cancel();
        resolve();
      };
      this.#waiters = [...this.#waiters, { isFor, release }];
    });
  }

  #hasAny(isFor: (group: string) => boolean): boolean {
    return [...this.#groups].some((group) => isFor(group));
  }
}
