// Timers of the system, in the form in which tests give fake ones.

/** Calls `then` after `ms`; the returned function cancels. */
export type SetTimer = (ms: number, then: () => void) => () => void;

/** The system's `SetTimer`. */
export function setTimer(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}
