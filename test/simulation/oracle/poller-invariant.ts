// Checks the purpose of supervision: after the loss of a poller its UPS is soon polled again, whatever the fault.
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { OracleContext } from './oracle-context.js';

/** Noticed after 2 s of silence, ended within 0.5 s, restarted immediately (specification/nut.md#worker-limits). */
const firstLossMs = 5_000;
/** Later restarts wait up to 2 s, and two processes may miss the start deadline of 10 s. */
const laterLossMs = 30_000;

export class PollerInvariant {
  readonly #context: OracleContext;
  #faults = 0;
  /** World time from which a poll is expected: a fault, a start, the end of a stall. */
  #sinceMs = 0;
  readonly #polledMs = new Map<string, number>();

  constructor(context: OracleContext) {
    this.#context = context;
  }

  daemonStarted(): void {
    this.#faults = 0;
    this.interrupted();
  }

  /** No poll was possible up to now. */
  interrupted(): void {
    this.#sinceMs = this.#context.world.nowMs;
    this.#polledMs.clear();
  }

  faulted(isNeverReady: boolean): void {
    this.#faults += isNeverReady ? 2 : 1;
    this.#sinceMs = this.#context.world.nowMs;
  }

  polled(groupId: string): void {
    this.#polledMs.set(groupId, this.#context.world.nowMs);
  }

  /** At ticks. */
  check(ups: UpsSettings): void {
    const { nowMs } = this.#context.world;
    const lastMs = Math.max(this.#sinceMs, this.#polledMs.get(ups.groupId) ?? 0);
    const lossMs = this.#faults > 1 ? laterLossMs : firstLossMs;
    const latestMs = lossMs + ups.checkIntervalMs + ups.pollDeadlineMs;
    if (nowMs - lastMs > latestMs) {
      const waited = String(Math.round((nowMs - lastMs) / 1000));
      this.#context.violated('a lost poller is back soon', `${ups.groupId} was not asked for ${waited} s`);
    }
  }
}
