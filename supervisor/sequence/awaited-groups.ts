// Groups whose sequence a daemon before this one left open, until each has been resumed or dropped. Bounded: nothing waits
// for them for ever.
import type { Later } from './budget.js';

/** A restarted daemon settles everything within 15 s (contract 4), noticed by a tick. */
const longestAwaitedMs = 16_000;

export class AwaitedGroups {
  readonly #later: Later;
  #groups: ReadonlySet<string> = new Set();
  readonly #waiting: (() => void)[] = [];

  constructor(later: Later) {
    this.#later = later;
  }

  expect(groups: readonly string[]): void {
    this.#groups = new Set(groups);
  }

  get none(): boolean {
    return this.#groups.size === 0;
  }

  /** True when one other than `group` is still to come back. */
  areOthersThan(group: string): boolean {
    return [...this.#groups].some((other) => other !== group);
  }

  /** It runs, or has been dropped. */
  cameBack(group: string): void {
    this.#groups = new Set([...this.#groups].filter((other) => other !== group));
    // Whoever waits goes on in a turn of its own, when the group that came back runs or has been dropped.
    if (this.none) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Settles when all are back, and at the latest when each has had its time. */
  allBack(): Promise<void> {
    return new Promise((resolve) => {
      const takeBack = this.#later(longestAwaitedMs, resolve);
      this.#waiting.push(() => {
        takeBack();
        resolve();
      });
    });
  }
}
