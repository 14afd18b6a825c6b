// "A lost poller is back within the times of the design", whatever the fault.
import type { WorldEvent } from '../scenario.js';
import { Invariant } from './invariant.js';

/** Noticed after 2 s of silence, ended within 0.5 s, restarted immediately (specification/nut.md#worker-limits). */
const firstLossMs = 5_000;
/** Later restarts wait up to 2 s, and two processes may miss the start deadline of 10 s. */
const laterLossMs = 30_000;

export class PollerBack extends Invariant {
  #faults = 0;
  /** World time from which a poll is expected: a fault, a start, the end of a stall. */
  #sinceMs = 0;
  #isInterrupted = false;
  readonly #polledMs = new Map<string, number>();

  daemonStarted(): void {
    this.#faults = 0;
    this.#begin();
  }

  worldChanged(worldEvent: WorldEvent): void {
    if (worldEvent.kind === 'stall' || worldEvent.kind === 'suspend') this.#isInterrupted = true;
    if (worldEvent.kind !== 'worker') return;
    this.#faults += worldEvent.fault === 'never-ready' ? 2 : 1;
    this.#sinceMs = this.facts.world.nowMs;
  }

  polled(ups: string): void {
    this.#resume();
    this.#polledMs.set(ups, this.facts.world.nowMs);
  }

  ticked(): void {
    this.#resume();
    const { nowMs, policies } = this.facts.world;
    for (const { groupId, checkIntervalMs, pollDeadlineMs } of policies.ups) {
      const waitedMs = nowMs - Math.max(this.#sinceMs, this.#polledMs.get(groupId) ?? 0);
      const lossMs = this.#faults > 1 ? laterLossMs : firstLossMs;
      if (waitedMs > lossMs + checkIntervalMs + pollDeadlineMs) {
        const text = `${groupId} was not asked for ${String(Math.round(waitedMs / 1000))} s`;
        this.facts.violated('a lost poller is back soon', text);
      }
    }
  }

  #resume(): void {
    if (this.#isInterrupted) this.#begin();
    this.#isInterrupted = false;
  }

  /** No poll was possible up to now. */
  #begin(): void {
    this.#sinceMs = this.facts.world.nowMs;
    this.#polledMs.clear();
  }
}
