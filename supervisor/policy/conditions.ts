// Conditions in the status words other than the power source: AVR, bypass, overload, worn or low battery, output off.
// They are reported and count for member health; none is a trigger.
import type { AvrState, OnOffState } from '../../shared/domain/states.js';
import type { PowerSource } from '../../shared/domain/status-words.js';
import { reuseUnchanged } from './comparison.js';

export interface Conditions {
  readonly avr: AvrState;
  readonly bypass: OnOffState;
  readonly overload: OnOffState;
  readonly replaceBattery: boolean;
  /** LB together with OB; LB without OB is not a low battery (specification/policy.md#status-words). */
  readonly lowBattery: boolean;
  /** Since when every good reading had OFF (monotonic ms). */
  readonly offSinceMs: number | null;
}

export const noConditions: Conditions = {
  avr: 'INACTIVE',
  bypass: 'INACTIVE',
  overload: 'INACTIVE',
  replaceBattery: false,
  lowBattery: false,
  offSinceMs: null,
};

export function conditionsAfterStatus(
  before: Conditions,
  words: readonly string[],
  source: PowerSource,
  nowMs: number,
): Conditions {
  const avr = words.includes('BOOST') ? 'BOOST' : words.includes('TRIM') ? 'TRIM' : 'INACTIVE';
  const bypass = words.includes('BYPASS') ? 'ACTIVE' : 'INACTIVE';
  const overload = words.includes('OVER') ? 'ACTIVE' : 'INACTIVE';
  const replaceBattery = words.includes('RB');
  const lowBattery = source === 'battery' && words.includes('LB');
  const offSinceMs = words.includes('OFF') ? (before.offSinceMs ?? nowMs) : null;
  return reuseUnchanged(before, { avr, bypass, overload, replaceBattery, lowBattery, offSinceMs });
}
