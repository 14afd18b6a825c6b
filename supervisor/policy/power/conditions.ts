// Conditions in the status words other than the power source: AVR, bypass, overload, worn or low battery, output off.
// They are reported and count for member health; none is a trigger.
import type { AvrState, OnOffState } from '../../../shared/domain/status/states.js';
import { reuseUnchanged } from '../base/comparison.js';

export interface Conditions {
  readonly avr: AvrState;
  readonly bypass: OnOffState;
  readonly overload: OnOffState;
  readonly replaceBattery: boolean;
  /** LB on battery; on line power LB is not a low battery (specification/policy.md#status-words). */
  readonly lowBattery: boolean;
  /** Since when every good reading had OFF without OB, but for what `offOnLineAtFirst` explains (monotonic ms). */
  readonly offSinceMs: number | null;
  /**
   * OFF stood beside OL at first: a driver that always says so, and means nothing by it. Null before that is known. It never
   * changes: some drivers show OFF while the charger is off.
   */
  readonly offOnLineAtFirst: boolean | null;
  /** Until then, what the readings with OL and without OB show. */
  readonly firstOnLine: FirstOnLine | null;
}

/** How many readings in a row have shown OFF beside OL, or none, and since when (monotonic ms). */
interface FirstOnLine {
  readonly hasOff: boolean;
  readonly readings: number;
  readonly sinceMs: number;
}

export interface Confirming {
  readonly confirmations: number;
  /** The hold of the status. */
  readonly statusMs: () => number;
  /** When the reading was asked for: the answer may be as old, and is handled later where the daemon stood still. */
  readonly askedMs: number;
}

export const noConditions: Conditions = {
  avr: 'INACTIVE',
  bypass: 'INACTIVE',
  overload: 'INACTIVE',
  replaceBattery: false,
  lowBattery: false,
  offSinceMs: null,
  offOnLineAtFirst: null,
  firstOnLine: null,
};

export function conditionsAfterStatus(
  before: Conditions,
  words: readonly string[],
  isOnBattery: boolean,
  confirming: Confirming,
  nowMs: number,
): Conditions {
  const avr = words.includes('BOOST') ? 'BOOST' : words.includes('TRIM') ? 'TRIM' : 'INACTIVE';
  const bypass = words.includes('BYPASS') ? 'ACTIVE' : 'INACTIVE';
  const overload = words.includes('OVER') ? 'ACTIVE' : 'INACTIVE';
  const replaceBattery = words.includes('RB');
  const lowBattery = isOnBattery && words.includes('LB');
  const onLine = words.includes('OL') && !words.includes('OB');
  const hasOff = words.includes('OFF');
  const first = onLine ? firstOnLineAfter(before, hasOff, confirming, nowMs) : before;
  const { offOnLineAtFirst, firstOnLine } = first;
  const isOff = hasOff && !words.includes('OB') && !(onLine && offOnLineAtFirst !== false);
  const offSinceMs = isOff ? (before.offSinceMs ?? nowMs) : null;
  return reuseUnchanged(before, {
    avr,
    bypass,
    overload,
    replaceBattery,
    lowBattery,
    offSinceMs,
    offOnLineAtFirst,
    firstOnLine,
  });
}

/** One wrong sample, which several readings may show, does not decide for good. */
function firstOnLineAfter(
  { offOnLineAtFirst, firstOnLine: shown }: Conditions,
  hasOff: boolean,
  { confirmations, statusMs, askedMs }: Confirming,
  nowMs: number,
): Pick<Conditions, 'offOnLineAtFirst' | 'firstOnLine'> {
  if (offOnLineAtFirst !== null) return { offOnLineAtFirst, firstOnLine: null };
  const isSame = shown !== null && shown.hasOff === hasOff;
  const readings = isSame ? shown.readings + 1 : 1;
  const sinceMs = isSame ? shown.sinceMs : nowMs;
  const stands = readings >= confirmations && askedMs - sinceMs > statusMs();
  return stands
    ? { offOnLineAtFirst: hasOff, firstOnLine: null }
    : { offOnLineAtFirst: null, firstOnLine: { hasOff, readings, sinceMs } };
}

/** Whether a snapshot of one serves for the other: readings of OL without OFF stand again after a restart. */
export function sameConditions(a: Conditions, b: Conditions): boolean {
  const isAlways = a.offOnLineAtFirst === true;
  const { offOnLineAtFirst, firstOnLine } = a;
  return (
    isAlways === (b.offOnLineAtFirst === true) &&
    reuseUnchanged(a, { ...b, offOnLineAtFirst, firstOnLine }) === a
  );
}
