// The second harm: nothing is commanded before the condition of a trigger, FSD or the silence of a UPS on battery has stood as long
// as the specification asks, by what the daemon was told.
import type { TriggerSettings } from '../../../shared/domain/triggers/table.js';
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import { isCertainlySlow, isOff, isRow } from './conditions.js';
import type { Answer, Course } from './courses.js';
import { isFed, namesSource } from './courses.js';
import { holdsOf, isInDoubt } from './holds.js';
import type { Invariant } from './invariant.js';

/** Watched time has the resolution of a tick. */
const tickMs = 250;
/** LB waits for at most this much of the stabilization delay, and of the hold of the status. */
const longestFlagMs = 5_000;

/** What a charge or a runtime needs; LB, and both together, leave no doubt. */
function isLow(told: Told, name: 'chargePercent' | 'runtimeSeconds', threshold: number): boolean {
  const { course, settings, ups, outMs } = told;
  const last = course.recent.at(-1);
  if (last === undefined || outMs < settings.stabilizationMs) return false;
  const { lowBatteryPercent, criticalRuntimeSeconds: critical } = settings;
  const { chargePercent, runtimeSeconds, status } = last.reading;
  const areLow = (chargePercent ?? 0) < lowBatteryPercent && (runtimeSeconds ?? 0) < critical;
  const { valueMs } = holdsOf(last, ups, critical);
  const isDoubted = !status.includes('LB') && !areLow && isInDoubt(course.recent, name, threshold, valueMs);
  return (
    !isDoubted &&
    isTold(told, ({ reading: { [name]: value } }) => (value === null ? null : value < threshold))
  );
}

function isTold({ course, settings }: Told, meets: (answer: Answer) => boolean | null): boolean {
  return isRow(settings.confirmations, course.recent, meets);
}

/** LB that neither charge nor runtime bears out, for longer than one sample is shown. Readings of line power set nothing back. */
function hasFlagLasted({ course: { recent }, settings, ups }: Told): boolean {
  const { lowBatteryPercent, criticalRuntimeSeconds: critical } = settings;
  const last = recent.at(-1);
  if (last === undefined) return false;
  const { chargePercent, runtimeSeconds } = last.reading;
  const isLow = (value: number | null, threshold: number) => value !== null && value <= threshold;
  if (isLow(chargePercent, lowBatteryPercent) || isLow(runtimeSeconds, critical)) return true;
  const has = ({ reading: { status } }: Answer, word: string) => status.includes(word);
  const isWithout = (answer: Answer) => has(answer, 'OB') && !has(answer, 'OL') && !has(answer, 'LB');
  const first = recent.slice(recent.findLastIndex(isWithout) + 1).find((answer) => has(answer, 'LB'));
  const holdMs = Math.min(longestFlagMs, holdsOf(last, ups, critical).statusMs);
  return holdMs === 0 || (first !== undefined && last.askedMs - first.atMs > holdMs);
}

interface Told {
  readonly course: Course;
  readonly settings: TriggerSettings;
  readonly ups: UpsSettings;
  readonly nowMs: number;
  readonly outMs: number;
}

/** Whether the condition has stood long enough. */
const rules: Readonly<Record<string, (told: Told) => boolean>> = {
  FSD: ({ course: { recent } }) => recent.at(-1)?.reading.status.includes('FSD') === true,
  LOW_BATTERY: (told) => isLow(told, 'chargePercent', told.settings.lowBatteryPercent),
  CRITICAL_RUNTIME: (told) => isLow(told, 'runtimeSeconds', told.settings.criticalRuntimeSeconds),
  DEPLETION: ({ outMs, course, ups, settings }) =>
    outMs >= Math.max(settings.stabilizationMs, settings.depletion.graceMs) &&
    !isCertainlySlow(course, settings, ups),
  EXTENDED_TIME: (told) =>
    told.settings.extendedTime.enabled &&
    told.outMs >= told.settings.stabilizationMs &&
    isTold(told, ({ givenMs }) => givenMs > told.settings.extendedTime.thresholdMs),
  LOW_BATTERY_FLAG: (told) =>
    told.settings.lowBatteryFlag &&
    told.outMs >= Math.min(longestFlagMs, told.settings.stabilizationMs) &&
    isTold(told, ({ reading: { status } }) => status.includes('LB')) &&
    hasFlagLasted(told),
  OUTPUT_OFF: ({ course: { recent }, nowMs, settings: { outputOffMs } }) => {
    const first = recent[recent.findLastIndex((answer) => !isOff(answer)) + 1];
    const sinceMs = recent.every(isOff) ? -Infinity : (first?.atMs ?? nowMs);
    return outputOffMs > 0 && (recent.at(-1)?.askedMs ?? nowMs) - sinceMs >= outputOffMs;
  },
  FAILSAFE: ({ course: { recent, failedPolls, isObConfirmed }, nowMs, ups, settings: { failsafeMs } }) => {
    // Without charge and runtime words that name no source are silence. Once OB is confirmed they are OB too, also after a single OL.
    const last = recent.findLast(({ reading }) => namesSource(reading));
    const isOb = isObConfirmed && last !== recent.at(-1);
    const wasOut =
      last !== undefined && (isOb || !isFed(last.reading) || last.reading.status.includes('BYPASS'));
    const silentMs = nowMs - (last?.atMs ?? nowMs) + tickMs;
    const polls = Math.max(failedPolls, silentMs / ups.pollDeadlineMs);
    return wasOut && silentMs >= failsafeMs && polls >= ups.maxStaleDataTolerance;
  },
};

export const stoodLongEnough: Invariant = (facts) => ({
  triggered(groupId, name, detail, by) {
    const { nowMs, sequences, world } = facts;
    const ups = facts.policy(groupId);
    // A daemon that goes back to an older snapshot goes on from its counts.
    if (ups === undefined || sequences.hasLost) return;
    const course = facts.courses.of(groupId);
    const settings = world.policies.groups.find((one) => one.name === by)?.triggers ?? ups.triggers;
    const askedMs = course.recent.at(-1)?.askedMs ?? nowMs;
    const outMs = Math.max(0, askedMs - (course.mayBeOutSinceMs ?? nowMs));
    if (rules[name]?.({ course, settings, ups, nowMs, outMs }) !== true)
      facts.violated('a condition stands as long as the specification asks', `${groupId}: ${detail}`);
  },
});
