// Checks the purpose of supervision: after the loss of a poller its UPS is soon polled again, whatever the fault.
import type { UpsPolicy } from '../../../supervisor/policy/inputs.js';
import type { Checker } from './checker.js';

/** Noticed after 2 s of silence, ended within 0.5 s, restarted immediately (specification/nut.md#worker-limits). */
const firstLossMs = 5_000;
/** Later restarts wait up to 2 s, and two processes may miss the start deadline of 10 s. */
const laterLossMs = 30_000;

export class PollerInvariant {
  readonly #checker: Checker;
  #faults = 0;
  /** World time from which a poll is expected: a fault, a start, the end of a stall. */
  #sinceMs = 0;
  readonly #polledMs = new Map<string, number>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  daemonStarted(): void {
    this.#faults = 0;
    this.interrupted();
  }

  /** No poll was possible up to now. */
  interrupted(): void {
    this.#sinceMs = this.#checker.world.nowMs;
    this.#polledMs.clear();
  }

  faulted(isNeverReady: boolean): void {
    this.#faults += isNeverReady ? 2 : 1;
    this.#sinceMs = this.#checker.world.nowMs;
  }

  polled(groupId: string): void {
    this.#polledMs.set(groupId, this.#checker.world.nowMs);
  }

  /** At ticks. */
  check(ups: UpsPolicy): void {
    const { nowMs } = this.#checker.world;
    const lastMs = Math.max(this.#sinceMs, this.#polledMs.get(ups.groupId) ?? 0);
    const lossMs = this.#faults > 1 ? laterLossMs : firstLossMs;
    const latestMs = lossMs + ups.checkIntervalMs + ups.pollDeadlineMs;
    if (nowMs - lastMs > latestMs) {
      const waited = String(Math.round((nowMs - lastMs) / 1000));
      this.#checker.violated('a lost poller is back soon', `${ups.groupId} was not asked for ${waited} s`);
    }
  }
}
