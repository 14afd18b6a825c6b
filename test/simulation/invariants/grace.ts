// "A UPS that cannot be read on line power: the grace period, neither early nor late."
import { hasPlainLine } from './courses.js';
import type { Invariant } from './invariant.js';

export const grace: Invariant = (facts) => {
  const lostMs = new Map<string, number>();
  return {
    recorded({ type, source }) {
      const policy = facts.policy(source);
      const { last, lineReadings } = facts.courses.of(source);
      if (type !== 'CONNECTION_LOST') return;
      lostMs.set(source, facts.nowMs);
      if (policy === undefined || last === null || lineReadings < policy.triggers.confirmations) return;
      const unseenMs = facts.nowMs - last.atMs;
      if (policy.grace.enabled && unseenMs < policy.grace.durationMs)
        facts.violated('the grace period', `${source} is lost after ${String(unseenMs)} ms`);
    },
    ticked() {
      for (const policy of facts.world.policies.ups) {
        const { groupId, maxStaleDataTolerance, checkIntervalMs, pollDeadlineMs } = policy;
        const { last, lineReadings, isWaiting } = facts.courses.of(groupId);
        const isOnLine = last !== null && hasPlainLine(last.reading) && lineReadings > 3 && !isWaiting;
        if (!isOnLine || !facts.isUninterruptedSince(last.atMs)) continue;
        const countMs = (maxStaleDataTolerance + 1) * Math.max(checkIntervalMs, pollDeadlineMs);
        const graceMs = policy.grace.enabled ? policy.grace.durationMs : 0;
        const unseenMs = facts.nowMs - last.atMs;
        const isLost = (lostMs.get(groupId) ?? -Infinity) >= last.atMs;
        if (unseenMs > graceMs + countMs + checkIntervalMs + pollDeadlineMs + 1_000 && !isLost)
          facts.violated('the grace period ends', `${groupId} after ${String(unseenMs)} ms`);
      }
    },
    hostDown: () => lostMs.clear(),
  };
};
