// Appointments on the real clock, in the form in which tests give fake ones.

/** Has `then` called in `ms`; what it returns takes the appointment back. */
export function setTimer(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

/** Has `then` called every `ms`; what it returns ends that. */
export function every(ms: number, then: () => void): () => void {
  const timer = setInterval(then, ms);
  return () => clearInterval(timer);
}
