// Whether the device has confirmed what a reading shows. Drivers show a value until they read it again, so one bad sample
// is in several polls. A value that came in a jump is in doubt until it has changed or was shown for longer than the hold.
import type { Shown } from '../../../shared/domain/triggers/trigger.js';
import type { Reading } from '../../../shared/domain/ups/reading.js';
import { reuseUnchanged } from '../base/comparison.js';
import type { Line } from './power-source.js';

/** A battery that is used falls in smaller steps. */
const jumpPoints = 10;
const jumpShare = 1 / 3;

/** A quantity as it was last read; every field null before its first reading. */
export interface ValueCourse {
  readonly value: number | null;
  /** When the first reading that shows it was asked for. */
  readonly firstMs: number | null;
  /** While the value is in doubt: when that was handled, and the value before; null there for the first of a boot. */
  readonly sinceMs: number | null;
  readonly before: number | null;
  /** The latest time at which the device certainly showed it: an answer is as old as its request. */
  readonly untilMs: number | null;
}

export interface ShownValues {
  readonly charge: ValueCourse;
  readonly runtime: ValueCourse;
  /** Since when each good reading on battery of this outage has LB. */
  readonly flagSinceMs: number | null;
}

const unread: ValueCourse = { value: null, firstMs: null, sinceMs: null, before: null, untilMs: null };
export const nothingShown: ShownValues = { charge: unread, runtime: unread, flagSinceMs: null };

/**
 * After a good reading, which was asked for at `askedMs`; `line`: before it. Readings on line power
 * count too, and undo no doubt of an outage; a reading without the value says nothing about it.
 */
export function shownAfter(
  before: ShownValues,
  reading: Reading,
  isOnBattery: boolean,
  line: Line['kind'],
  askedMs: number,
  nowMs: number,
): ShownValues {
  const hasFlag = isOnBattery && reading.status.includes('LB');
  const flagSinceMs = line === 'mains' ? null : before.flagSinceMs;
  return reuseUnchanged(before, {
    charge: courseAfter(
      before.charge,
      reading.chargePercent,
      (from, to) => from - to > jumpPoints,
      askedMs,
      nowMs,
    ),
    runtime: courseAfter(
      before.runtime,
      reading.runtimeSeconds,
      (from, to) => from - to > from * jumpShare,
      askedMs,
      nowMs,
    ),
    flagSinceMs: hasFlag ? (flagSinceMs ?? nowMs) : line === 'outage' && !isOnBattery ? flagSinceMs : null,
  });
}

function courseAfter(
  before: ValueCourse,
  value: number | null,
  isJump: (from: number, to: number) => boolean,
  askedMs: number,
  nowMs: number,
): ValueCourse {
  if (value === null) return before;
  if (value === before.value) return before.sinceMs === null ? before : { ...before, untilMs: askedMs };
  const isInDoubt = before.value === null || isJump(before.value, value);
  if (!isInDoubt) return { ...unread, value, firstMs: askedMs };
  return { value, firstMs: askedMs, sinceMs: nowMs, before: before.value, untilMs: nowMs };
}

/** The doubt at the last reading, however long it has lasted: which hold ends it depends on who asks. */
export function doubtOf({ value, sinceMs, before, untilMs }: ValueCourse): Shown | null {
  if (value === null || sinceMs === null) return null;
  return { forMs: Math.max(0, (untilMs ?? sinceMs) - sinceMs), sinceMs, before };
}

/** The value of a jump, which the device has confirmed by a lower one; null: the reading confirms none. */
export function confirmedJump(
  before: ValueCourse,
  after: ValueCourse,
): { readonly atMs: number; readonly percent: number } | null {
  const { value, firstMs, sinceMs } = before;
  if (value === null || sinceMs === null || (after.value ?? value) >= value) return null;
  return { atMs: firstMs ?? sinceMs, percent: value };
}

/** `threshold`: below it the first value of a boot is in doubt too. */
export function isInDoubt(course: ValueCourse, threshold: number, holdMs: number): boolean {
  const doubt = doubtOf(course);
  if (doubt === null || holdMs === 0 || doubt.forMs > holdMs) return false;
  return doubt.before !== null || (course.value ?? threshold) < threshold;
}

/** Whether a snapshot of one serves for the other: a first value, or one that falls in its usual steps, requests none. */
export function sameShown(a: ShownValues, b: ShownValues): boolean {
  const sameCourse = (one: ValueCourse, other: ValueCourse) =>
    one.value === null || (one.sinceMs === other.sinceMs && one.before === other.before);
  return (
    sameCourse(a.charge, b.charge) && sameCourse(a.runtime, b.runtime) && a.flagSinceMs === b.flagSinceMs
  );
}
