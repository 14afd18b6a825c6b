// What happens once a period happens at its multiples of the monotonic clock, which is the same in every process: a machine at
// rest wakes once for all of it. Polls start at a multiple (workers/poller/poller.ts), and the rest comes when they have arrived.
import { systemClock } from './clock.js';

/** For the round trip of a poll, and its way through two processes. */
export const afterPollsMs = 10;

/** Milliseconds from `nowMs` to the next moment of `periodMs`, or to the one after that if it comes within a quarter. */
export function untilNextMs(periodMs: number, nowMs: number): number {
  const leastMs = periodMs / 4;
  return Math.ceil(periodMs + leastMs - ((nowMs - afterPollsMs + periodMs + leastMs) % periodMs));
}

/** Calls `run` once a period, until the returned function is called. */
export function oncePer(periodMs: number, run: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    timer = setTimeout(
      () => {
        arm();
        run();
      },
      untilNextMs(periodMs, systemClock.monotonicMs()),
    );
  };
  arm();
  return () => clearTimeout(timer);
}
