// "The first steps begin at the reading that triggers; the sequence ends within the bound of its plan." In between something is
// always under way.
import type { Invariant } from './invariant.js';
import { longestLookMs } from './one-sequence.js';
import { hostKey } from './step-record.js';

/** Two ticks, the pause before another try of the power-off, and timers of the last step. */
const idleMs = 6_500;
/** A resumed sequence looks for 15 s; the rest is for timers. */
const lookMs = 21_000;

export const pace: Invariant = (facts) => {
  const { world, steps, sequences } = facts;
  let idleSinceMs: number | null = null;
  /** By group: when it must have ended. */
  const latestMs = new Map<string, number>();
  /** Under the present daemon. */
  let stalls: readonly { readonly atMs: number; readonly ms: number }[] = [];

  function checkIdle(): void {
    const { nowMs } = facts;
    // A restarted daemon may have only the rest of the two minutes after a power-off left.
    const isUnderWay = sequences.running.length > 0 && !sequences.hasCrashed && !world.site.dryRun;
    const isMoving = steps.of(hostKey) !== undefined || steps.running.length > 0 || steps.movedMs === nowMs;
    // Its power-off waits for a sequence that the daemon may know, and resume after its look.
    const mayLook = sequences.hasUnknown && nowMs - facts.daemonStartedMs <= longestLookMs;
    idleSinceMs = isUnderWay && !isMoving && !mayLook ? (idleSinceMs ?? nowMs) : null;
    if (idleSinceMs !== null && nowMs - idleSinceMs > idleMs)
      facts.violated('a sequence goes on', sequences.running.map(({ group }) => group).join(', '));
  }

  /** Sequences wait for each other: each ends within the bounds of all that run. */
  function checkBounds(): void {
    const { nowMs, daemonStartedMs } = facts;
    const plans = world.daemon.journal?.groups ?? [];
    const boundMs = plans.reduce((sum, { plan }) => sum + Math.max(30_000, plan.boundSeconds * 1000), 0);
    const { running } = sequences;
    for (const group of latestMs.keys())
      if (!running.some((one) => one.group === group)) latestMs.delete(group);
    for (const { group, sinceMs } of running) {
      const fromMs = Math.max(sinceMs, daemonStartedMs);
      const stalledMs = stalls.reduce((sum, { atMs, ms }) => (atMs < fromMs ? sum : sum + ms), 0);
      const endMs = Math.max(latestMs.get(group) ?? 0, fromMs + boundMs + stalledMs);
      latestMs.set(group, endMs);
      if (nowMs > endMs + lookMs) facts.violated('a sequence ends within the bound of its plan', group);
    }
  }

  return {
    checked() {
      if (world.daemon.pendingKillMs !== null || world.site.dryRun) return;
      for (const { source } of facts.starts) {
        const isAlone = sequences.running.every(({ group }) => group === source);
        // What a plan of the group begins with is never a wait for another.
        const isOwner = world.site.plant.servers.some(({ owner }) => owner === source);
        const hasWork = isOwner || facts.hostGroups.includes(source);
        const isWhole = isAlone && hasWork && sequences.last(source)?.isUncertain === false;
        if (isWhole && steps.movedMs < facts.nowMs)
          facts.violated('the first steps begin at the trigger', source);
      }
    },
    ticked() {
      checkIdle();
      checkBounds();
    },
    daemonStarted() {
      idleSinceMs = null;
      latestMs.clear();
      stalls = [];
    },
    hostDown: () => latestMs.clear(),
    worldChanged(worldEvent) {
      idleSinceMs = null;
      if (worldEvent.kind !== 'stall') return;
      const { ms } = worldEvent;
      stalls = [...stalls, { atMs: facts.nowMs, ms }];
      for (const [group, endMs] of latestMs) latestMs.set(group, endMs + ms);
    },
  };
};
