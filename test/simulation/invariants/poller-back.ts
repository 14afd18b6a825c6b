// "A lost poller is back within the times of the design", whatever the fault.
import type { Invariant } from './invariant.js';

/** Noticed after 2 s of silence, ended within 0.5 s, restarted immediately (specification/nut.md#worker-limits). */
const firstLossMs = 5_000;
/** Later restarts wait up to 2 s, and two processes may miss the start deadline of 10 s. */
const laterLossMs = 30_000;

export const pollerBack: Invariant = (facts) => {
  const { world } = facts;
  let faults = 0;
  /** World time from which a poll is expected: a fault, a start, the end of a stall. */
  let sinceMs = 0;
  let isInterrupted = false;
  const polledMs = new Map<string, number>();
  /** No poll was possible up to now. */
  function begin(): void {
    sinceMs = world.nowMs;
    polledMs.clear();
    isInterrupted = false;
  }
  return {
    daemonStarted() {
      faults = 0;
      begin();
    },
    worldChanged(worldEvent) {
      isInterrupted ||= worldEvent.kind === 'stall' || worldEvent.kind === 'suspend';
      if (worldEvent.kind !== 'worker') return;
      faults += worldEvent.fault === 'never-ready' ? 2 : 1;
      sinceMs = world.nowMs;
    },
    polled(ups) {
      if (isInterrupted) begin();
      polledMs.set(ups, world.nowMs);
    },
    ticked() {
      if (isInterrupted) begin();
      for (const { groupId, checkIntervalMs, pollDeadlineMs } of world.policies.ups) {
        const waitedMs = world.nowMs - Math.max(sinceMs, polledMs.get(groupId) ?? 0);
        const lossMs = faults > 1 ? laterLossMs : firstLossMs;
        if (waitedMs > lossMs + checkIntervalMs + pollDeadlineMs)
          facts.violated('a lost poller is back soon', `${groupId} was not asked for ${String(waitedMs)} ms`);
      }
    },
  };
};
