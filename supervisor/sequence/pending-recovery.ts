// Groups whose sequence a daemon before this one left open, or whose start an exception has lost, until each has been
// resumed or dropped. Bounded: nothing waits for them for ever.
import type { SetTimer } from './budget.js';

/** A restarted daemon settles everything within 15 s, plus a tick (specification/sequence.md#restart-during-a-sequence). */
const longestAwaitedMs = 16_000;

interface Waiting {
  readonly isFor: (group: string) => boolean;
  readonly goOn: () => void;
}

export class PendingRecovery {
  readonly #setTimer: SetTimer;
  #groups: ReadonlySet<string> = new Set();
  #waiting: readonly Waiting[] = [];

  constructor(setTimer: SetTimer) {
    this.#setTimer = setTimer;
  }

  expect(groups: readonly string[]): void {
    this.#groups = new Set(groups);
  }

  /** One more: its start has thrown, and is made again. */
  add(group: string): void {
    this.#groups = new Set([...this.#groups, group]);
  }

  get none(): boolean {
    return this.#groups.size === 0;
  }

  /** It runs, or has been dropped. */
  cameBack(group: string): void {
    this.#groups = new Set([...this.#groups].filter((other) => other !== group));
    const ready = this.#waiting.filter(({ isFor }) => !this.#hasAny(isFor));
    this.#waiting = this.#waiting.filter((one) => !ready.includes(one));
    // Whoever waits goes on in a turn of its own, when the group that came back runs or has been dropped.
    for (const { goOn } of ready) goOn();
  }

  /** Settles when those are back, and at the latest when each has had its time; null when none of them is awaited. */
  back(isFor: (group: string) => boolean): Promise<void> | null {
    if (!this.#hasAny(isFor)) return null;
    return new Promise((resolve) => {
      const cancel = this.#setTimer(longestAwaitedMs, resolve);
      const goOn = () => {
        cancel();
        resolve();
      };
      this.#waiting = [...this.#waiting, { isFor, goOn }];
    });
  }

  #hasAny(isFor: (group: string) => boolean): boolean {
    return [...this.#groups].some((group) => isFor(group));
  }
}
