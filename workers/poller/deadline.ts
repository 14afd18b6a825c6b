// A deadline on the monotonic clock.
import { systemClock } from '../../shared/runtime/clock.js';

export class Deadline {
  readonly #until: number;
  /** The total time in integer ms, for messages: the rest of another deadline has sixteen digits. */
  readonly totalMs: number;

  constructor(totalMs: number) {
    this.totalMs = Math.ceil(totalMs);
    this.#until = systemClock.monotonicMs() + totalMs;
  }

  /** Milliseconds left, 0 once it has passed. */
  get remainingMs(): number {
    return Math.max(0, this.#until - systemClock.monotonicMs());
  }

  get passed(): boolean {
    return this.remainingMs === 0;
  }
}

/** Settles like `promise`, or with `late()` when the deadline passes first; the promise is then ignored. */
export function withinDeadline<T>(deadline: Deadline, promise: Promise<T>, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late()), deadline.remainingMs);
    void promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Waits, but never beyond the deadline. */
export function pause(ms: number, deadline: Deadline): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, Math.min(ms, deadline.remainingMs)));
}
