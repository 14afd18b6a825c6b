// "A trigger of the specification starts the sequence at that reading": in an outage whose readings leave nothing open, also where
// the daemon was killed in it. A UPS that starts none reports the trigger.
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import { certainlyMet } from './conditions.js';
import { hasPlainLine, isFed } from './courses.js';
import type { Invariant } from './invariant.js';

/** Two ticks, and the resolution of watched time. */
const tickMs = 750;
/** "failsafe_share x last runtime, at most 60 s", where all failures are DATA_STALE. */
const longestStaleMs = 60_000;

export const triggerInTime: Invariant = (facts) => {
  const { world, courses, sequences } = facts;
  /** When each UPS last reported a trigger of its own. */
  const reportedMs = new Map<string, number>();
  /** UPSes whose last reading was plain line power without FSD: since when, and since when such readings have ended the outage before. */
  const plain = new Map<string, { readonly sinceMs: number; readonly backMs: number }>();
  /** Of the snapshots on the disk. */
  let writtenMs: number[] = [];

  /** `outageMs`: no earlier outage has gone on since then. */
  function mustHaveReported(
    trigger: string,
    { groupId, advisory }: UpsSettings,
    sinceMs: number,
    outageMs = sinceMs,
  ): void {
    if (world.daemon.pendingKillMs !== null) return;
    if ((reportedMs.get(groupId) ?? -Infinity) < sinceMs)
      facts.violated('a trigger that is met acts at that reading', `${trigger} of ${groupId}`);
    else if (!advisory && sequences.isArmed(groupId, outageMs))
      facts.violated('a trigger that is met starts the sequence', `${trigger} of ${groupId}`);
  }

  /** On battery and not seen for as long as FAILSAFE ever waits. */
  function isOutOfSight(policy: UpsSettings): boolean {
    const { last, answers, isClear, failures, isWaiting, reportedMs: heardMs } = courses.of(policy.groupId);
    const { maxStaleDataTolerance: tolerance, checkIntervalMs, pollDeadlineMs, triggers } = policy;
    if (!isClear || last === null || last !== answers.at(-1) || isFed(last.reading)) return false;
    if (!facts.isUninterruptedSince(last.atMs)) return false;
    const unseenMs = facts.nowMs - last.atMs;
    const overdueMs = checkIntervalMs + pollDeadlineMs + tickMs;
    const silentMs = tolerance * Math.max(checkIntervalMs, pollDeadlineMs) + overdueMs;
    const isSilent = facts.nowMs - heardMs > overdueMs && unseenMs > silentMs;
    if (failures.length < tolerance && !isSilent) return false;
    const isOnlyStale = !isWaiting && failures.every((detail) => detail === 'DATA_STALE');
    const staleMs = triggers.failsafeShare > 0 && isOnlyStale ? longestStaleMs : 0;
    return unseenMs > Math.max(triggers.failsafeMs, staleMs) + tickMs;
  }

  return {
    answered(ups, last, course, policy) {
      const { answers, lineReadings } = course;
      const met = certainlyMet(course, policy.triggers, policy);
      const isDemanded = last.reading.status.includes('FSD');
      // FSD after a reading of line power without it needs no confirmation.
      const known = plain.get(ups);
      const isNew = isDemanded && known !== undefined;
      const fsdOutageMs = known !== undefined && known.backMs < Infinity ? last.atMs : -Infinity;
      const backMs = lineReadings >= policy.triggers.confirmations ? last.atMs : Infinity;
      if (!isDemanded && hasPlainLine(last.reading) && lineReadings > 0)
        plain.set(ups, {
          sinceMs: known?.sinceMs ?? last.atMs,
          backMs: Math.min(known?.backMs ?? Infinity, backMs),
        });
      else plain.delete(ups);
      facts.atEnd(() => {
        if (met !== null) mustHaveReported(met, policy, answers[0]?.atMs ?? Infinity);
        if (isNew) mustHaveReported('FSD', policy, last.atMs, fsdOutageMs);
      });
    },
    triggered(ups, _trigger, _detail, group) {
      if (group === null) reportedMs.set(ups, facts.nowMs);
    },
    ticked() {
      for (const policy of world.policies.ups.filter(isOutOfSight)) {
        const [first] = courses.of(policy.groupId).answers;
        facts.atEnd(() => mustHaveReported('FAILSAFE', policy, first?.atMs ?? Infinity));
      }
    },
    snapshotWritten() {
      writtenMs.push(facts.nowMs);
    },
    lost(loss) {
      const toMs = loss.kind === 'age' ? facts.nowMs - loss.ms : -Infinity;
      if (loss.kind !== 'journals') writtenMs = writtenMs.filter((atMs) => atMs <= toMs);
    },
    /** FSD on line power in the first reading that it knows is latched. */
    daemonStarted() {
      const knownMs = writtenMs.at(-1) ?? -Infinity;
      for (const [ups, { sinceMs, backMs }] of plain)
        if (sinceMs >= knownMs) plain.delete(ups);
        else if (backMs >= knownMs) plain.set(ups, { sinceMs, backMs: Infinity });
    },
    hostDown() {
      reportedMs.clear();
      plain.clear();
      writtenMs = [];
    },
  };
};
