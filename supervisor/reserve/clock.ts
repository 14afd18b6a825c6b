// The clock of the reserve. As that of policy (policy/base/clock.ts): a daemon that did not run has seen no silence. Pure.

/** In ms. `watchedMs` counts no time without the daemon; silence begins again at `lookingMs`; `askedMs`: of the last poll. */
export type Clock = Readonly<Record<'atMs' | 'askedMs' | 'watchedMs' | 'lookingMs', number>>;

/** Both as policy, which has the reasons. */
const watchedStepMs = 1_000;
const longAbsenceMs = 15_000;

/** After the daemon has run until `nowMs`. */
export function advanced({ atMs, askedMs, watchedMs, lookingMs }: Clock, nowMs: number): Clock {
  const passedMs = Math.max(0, nowMs - atMs);
  const watched = watchedMs + Math.min(passedMs, watchedStepMs);
  return {
    atMs: atMs + passedMs,
    askedMs,
    watchedMs: watched,
    lookingMs: passedMs > longAbsenceMs ? watched : lookingMs,
  };
}
