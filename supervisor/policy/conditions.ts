// Conditions in the status words other than the power source: AVR, bypass, overload, worn or low battery, output off.
// They are reported and count for member health; none is a trigger.
import type { AvrState, OnOffState } from '../../shared/domain/states.js';
import { reuseUnchanged } from './comparison.js';

export interface Conditions {
  readonly avr: AvrState;
  readonly bypass: OnOffState;
  readonly overload: OnOffState;
  readonly replaceBattery: boolean;
  /** LB on battery; on line power LB is not a low battery (specification/policy.md#status-words). */
  readonly lowBattery: boolean;
  /** Since when every good reading had OFF without OB, but for what `offOnLineAtFirst` explains (monotonic ms). */
  readonly offSinceMs: number | null;
  /** The first reading with OL and without OB had OFF: a driver that always says so, and means nothing by it. Null before it. */
  readonly offOnLineAtFirst: boolean | null;
}

export const noConditions: Conditions = {
  avr: 'INACTIVE',
  bypass: 'INACTIVE',
  overload: 'INACTIVE',
  replaceBattery: false,
  lowBattery: false,
  offSinceMs: null,
  offOnLineAtFirst: null,
};

export function conditionsAfterStatus(
  before: Conditions,
  words: readonly string[],
  isOnBattery: boolean,
  nowMs: number,
): Conditions {
  const avr = words.includes('BOOST') ? 'BOOST' : words.includes('TRIM') ? 'TRIM' : 'INACTIVE';
  const bypass = words.includes('BYPASS') ? 'ACTIVE' : 'INACTIVE';
  const overload = words.includes('OVER') ? 'ACTIVE' : 'INACTIVE';
  const replaceBattery = words.includes('RB');
  const lowBattery = isOnBattery && words.includes('LB');
  const onLine = words.includes('OL') && !words.includes('OB');
  const hasOff = words.includes('OFF');
  const offOnLineAtFirst = before.offOnLineAtFirst ?? (onLine ? hasOff : null);
  const isOff = hasOff && !words.includes('OB') && !(onLine && offOnLineAtFirst === true);
  const offSinceMs = isOff ? (before.offSinceMs ?? nowMs) : null;
  return reuseUnchanged(before, {
    avr,
    bypass,
    overload,
    replaceBattery,
    lowBattery,
    offSinceMs,
    offOnLineAtFirst,
  });
}
