// "A trigger of the specification starts the sequence at that reading": in an outage whose readings leave nothing open, also where
// the daemon was killed in it. A UPS that starts none reports the trigger.
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import { certainlyMet } from './conditions.js';
import type { Course } from './courses.js';
import { hasPlainLine, isFed } from './courses.js';
import { Invariant } from './invariant.js';

/** Two ticks, and the resolution of watched time. */
const tickMs = 750;
/** "failsafe_share x last runtime, at most 60 s", where all failures are DATA_STALE. */
const longestStaleMs = 60_000;

export class TriggerInTime extends Invariant {
  /** Own triggers: when each UPS last reported one. */
  readonly #reportedMs = new Map<string, number>();
  #wasDemanded = new Map<string, boolean>();

  polled(ups: string, { outcome }: UpsPolled): void {
    const { policy, course } = this.#of(ups);
    this.#note();
    if (policy === undefined || outcome.kind === 'failed' || course.isWaiting) return;
    const { answers } = course;
    const met = certainlyMet(course, policy.triggers, policy);
    if (met !== null) this.#mustHaveReported(met, policy, answers[0]?.atMs ?? Infinity);
    this.#checkDemand(policy, course);
  }

  ticked(): void {
    this.#note();
    for (const policy of this.facts.world.policies.ups) {
      const course = this.facts.courses.of(policy.groupId);
      if (this.#isOutOfSight(policy, course))
        this.#mustHaveReported('FAILSAFE', policy, course.answers[0]?.atMs ?? Infinity);
    }
  }

  hostDown(): void {
    this.#reportedMs.clear();
    this.#wasDemanded = new Map();
  }

  #of(ups: string): { readonly policy: UpsSettings | undefined; readonly course: Course } {
    return { policy: this.facts.policy(ups), course: this.facts.courses.of(ups) };
  }

  #note(): void {
    for (const { ups, detail } of this.facts.triggers)
      if (!detail.includes(' by the thresholds of ')) this.#reportedMs.set(ups, this.facts.nowMs);
  }

  #mustHaveReported(trigger: string, { groupId, advisory }: UpsSettings, sinceMs: number): void {
    const { world, sequences } = this.facts;
    if (world.daemon.pendingKillMs !== null) return;
    if ((this.#reportedMs.get(groupId) ?? -Infinity) < sinceMs)
      this.facts.violated('a trigger that is met acts at that reading', `${trigger} of ${groupId}`);
    else if (!advisory && sequences.isArmed(groupId, sinceMs))
      this.facts.violated('a trigger that is met starts the sequence', `${trigger} of ${groupId}`);
  }

  /** FSD after a reading of line power without it needs no confirmation. */
  #checkDemand(policy: UpsSettings, { last, lineReadings }: Course): void {
    const { groupId } = policy;
    const isDemanded = last?.reading.status.includes('FSD') === true;
    const wasPlain = this.#wasDemanded.get(groupId) === false;
    if (isDemanded && wasPlain) this.#mustHaveReported('FSD', policy, last.atMs);
    const isPlain = last !== null && hasPlainLine(last.reading) && lineReadings > 0;
    if (isDemanded || !isPlain) this.#wasDemanded.delete(groupId);
    else this.#wasDemanded.set(groupId, false);
  }

  #isOutOfSight(
    policy: UpsSettings,
    { last, answers, isClear, failures, isWaiting, reportedMs }: Course,
  ): boolean {
    const { nowMs } = this.facts;
    const { maxStaleDataTolerance: tolerance, checkIntervalMs, pollDeadlineMs, triggers } = policy;
    if (!isClear || last === null || last !== answers.at(-1) || isFed(last.reading)) return false;
    if (!this.facts.isUninterruptedSince(last.atMs)) return false;
    const overdueMs = checkIntervalMs + pollDeadlineMs + tickMs;
    const isSilent = nowMs - reportedMs > overdueMs;
    const silentMs = tolerance * Math.max(checkIntervalMs, pollDeadlineMs) + overdueMs;
    if (failures.length < tolerance && !(isSilent && nowMs - last.atMs > silentMs)) return false;
    const isOnlyStale = !isWaiting && failures.every((detail) => detail === 'DATA_STALE');
    const staleMs = triggers.failsafeShare > 0 && isOnlyStale ? longestStaleMs : 0;
    return nowMs - last.atMs > Math.max(triggers.failsafeMs, staleMs) + tickMs;
  }
}
