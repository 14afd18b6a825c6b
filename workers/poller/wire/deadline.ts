// A deadline on the monotonic clock.
import { systemClock } from '../../../shared/runtime/clock.js';

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

/**
 * Calls `overdue` after the deadline, once the sockets have been read: when this process had no processor for a while, Node
 * runs the timers before it reads what has arrived in time. The result cancels it.
 */
export function whenOverdue(deadline: Deadline, overdue: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (immediate = setImmediate(overdue)), deadline.remainingMs);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/** Settles like `promise`, or with `late()` when the deadline passes first; the promise is then ignored. */
export function withinDeadline<T>(deadline: Deadline, promise: Promise<T>, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = whenOverdue(deadline, () => resolve(late()));
    void promise.then(resolve, reject).finally(cancel);
  });
}

/** Waits, but never beyond the deadline. */
export function pause(ms: number, deadline: Deadline): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, Math.min(ms, deadline.remainingMs)));
}
