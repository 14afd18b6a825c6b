// An appointment on the real clock, in the form in which tests give a fake one.

/** Has `then` called in `ms`; what it returns takes the appointment back. */
export function later(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}
