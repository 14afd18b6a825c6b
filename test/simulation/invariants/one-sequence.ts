// "One sequence per outage; a decision holds across a restart; an ended sequence is not resumed."
import type { Invariant } from './invariant.js';

/** A resumed sequence waits at most 15 s for a reading, plus a tick (specification/sequence.md#restart-during-a-sequence). */
export const longestLookMs = 15_500;

export const oneSequence: Invariant = (facts) => {
  const { sequences, world } = facts;
  /** Groups of which a UPS has had power since their last sequence. */
  const fed = new Set<string>();
  /** Time in which the present daemon watched, as policy counts it: at most a second an input. */
  let watchedMs = 0;
  let handledMs = 0;
  function watch(): void {
    watchedMs += Math.min(1_000, facts.nowMs - handledMs);
    handledMs = facts.nowMs;
  }
  return {
    daemonStarted() {
      watchedMs = 0;
      handledMs = facts.nowMs;
    },
    /** Before the record has it. */
    recorded({ type, source, detail }) {
      const last = sequences.last(source);
      if (world.daemon.pendingKillMs !== null) return;
      const isKnown = last !== undefined && !last.isUncertain;
      if (type === 'SHUTDOWN_TRIGGERED') {
        if (isKnown && (last.endedMs === null || !fed.has(source)))
          facts.violated('one sequence per outage', `${source} starts again: ${detail}`);
        // Where none of its UPSes is in an outage, or all outputs are off, what the next ones feed is another load, or the same one that runs again.
        const isOut = facts
          .devices(source)
          .some(({ outageSinceMs, feeds }) => outageSinceMs !== null && feeds);
        if (isOut) fed.delete(source);
        else fed.add(source);
      } else if (type === 'SHUTDOWN_RESUMED') {
        if (isKnown && (last.endedMs !== null || last.underWaySinceMs !== null))
          facts.violated('a sequence that has ended is not resumed', source);
      } else if (type === 'SHUTDOWN_SEQUENCE_COMPLETE' || type === 'SHUTDOWN_CANCELLED')
        if (last === undefined ? !sequences.hasLost : isKnown && last.endedMs !== null)
          facts.violated('only a sequence that runs can end', `${type} of ${source}`);
    },
    answered(ups, { reading: { status } }) {
      if (status.includes('OB') && !status.includes('OL')) return;
      for (const group of [ups, ...facts.groupsOf(ups).map(({ groupId }) => groupId)]) fed.add(group);
    },
    polled: watch,
    ticked() {
      watch();
      if (watchedMs <= longestLookMs) return;
      for (const { group, underWaySinceMs, isUncertain } of sequences.running)
        if (underWaySinceMs === null && !isUncertain)
          facts.violated('a decision holds across a restart', `${group} was neither resumed nor dropped`);
    },
    hostDown: () => fed.clear(),
  };
};
