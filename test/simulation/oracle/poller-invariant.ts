// Judges the supervision by what it is for: a UPS is asked again soon after its poller was lost, whatever was wrong with it.
import type { UpsPolicy } from '../../../supervisor/policy/inputs.js';
import type { Checker } from './checker.js';

/** DESIGN 4: noticed within 2 s of silence, ended within half a second, started again at once. */
const firstLossMs = 5_000;
/** Later ones wait for up to 2 s, and a process that says nothing is given up after 10 s, twice. */
const laterLossMs = 30_000;

export class PollerInvariant {
  readonly #checker: Checker;
  #faults = 0;
  /** World time from which on polls are waited for: a fault, a start, the end of a stall. */
  #sinceMs = 0;
  readonly #polledMs = new Map<string, number>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  daemonStarted(): void {
    this.#faults = 0;
    this.interrupted();
  }

  /** Nobody could poll up to now. */
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
