// The limits on failed logins (specification/security.md#login-limits): per peer address and for the process, in sliding
// windows. A success clears nothing. Attempts under way count as failures, so that parallel attempts cannot bypass it.
import type { Clock } from '../../../../shared/runtime/clock.js';

const perPeer = { most: 10, withinMs: 60_000 };
const perProcess = { most: 100, withinMs: 300_000 };
/** Attempts under way are decided within a few seconds. */
const undecidedSeconds = 1;

interface Failure {
  readonly peer: string;
  readonly atMs: number;
}

/** Call exactly one of these, once. */
export interface LoginAttempt {
  failed(): void;
  /** The attempt does not count: the password was right, or was never checked. */
  withdrawn(): void;
}

export class Throttle {
  readonly #clock: Clock;
  /** Oldest first; at most the limit of the process. */
  #failures: Failure[] = [];
  readonly #underWay = new Map<LoginAttempt, string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The seconds that this peer must wait; null when it may try now. */
  waitSeconds(peer: string): number | null {
    const nowMs = this.#clock.monotonicMs();
    this.#failures = this.#failures.filter(({ atMs }) => nowMs - atMs < perProcess.withinMs);
    const own = this.#failures.filter(
      (failure) => failure.peer === peer && nowMs - failure.atMs < perPeer.withinMs,
    );
    const ownUnderWay = [...this.#underWay.values()].filter((one) => one === peer).length;
    const waits = [
      waitOf(own, ownUnderWay, perPeer, nowMs),
      waitOf(this.#failures, this.#underWay.size, perProcess, nowMs),
    ].filter((wait) => wait !== null);
    return waits.length === 0 ? null : Math.max(...waits);
  }

  /** Call it only while `waitSeconds` is null. */
  begin(peer: string): LoginAttempt {
    const decided = (): void => void this.#underWay.delete(attempt);
    const attempt: LoginAttempt = {
      failed: () => {
        decided();
        this.#failures.push({ peer, atMs: this.#clock.monotonicMs() });
      },
      withdrawn: decided,
    };
    this.#underWay.set(attempt, peer);
    return attempt;
  }
}

/** The time until enough of the oldest failures have left the window; an attempt under way may fail at any moment. */
function waitOf(
  failures: readonly Failure[],
  underWay: number,
  { most: max, withinMs }: typeof perPeer,
  nowMs: number,
): number | null {
  const excess = failures.length + underWay - max;
  if (excess < 0) return null;
  const last = failures[excess];
  if (last === undefined || underWay > 0) return undecidedSeconds;
  return Math.max(1, Math.ceil((last.atMs + withinMs - nowMs) / 1000));
}
