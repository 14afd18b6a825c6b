// Whether a reading shows a battery that is full and rested: only such readings are compared with each other. Time is the
// time of the samples, with gaps and a clock that may be set back. Pure.
import type { PowerSource } from '../status-words.js';

/** After a discharge voltage and the runtime that devices compute settle for about this long. */
export const restMs = 30 * 60_000;
/** Without samples for longer nobody knows whether the battery was used: the host may have been off. */
export const unseenMs = 900_000;
const fullPercent = 99;
/** Some chargers end below 99 %: a charge above this that does not move any more is full. */
const steadyPercent = 90;
const steadyMs = 2 * 3_600_000;
/** A UPS that reports no charge is full after this long: lead acid needs 5 to 16 hours. */
const rechargedMs = 24 * 3_600_000;

/** Unix ms. */
export interface Rest {
  /** The last sample; null before the first one. */
  readonly lastMs: number | null;
  /** The battery was last in use, or not seen. */
  readonly usedMs: number;
  /** The last charge, and since when it has been the same within a point. Null: the UPS has never reported one. */
  readonly charge: number | null;
  readonly chargeMs: number;
}

export const neverSeen: Rest = { lastMs: null, usedMs: 0, charge: null, chargeMs: 0 };

export function afterSample(rest: Rest, atMs: number, source: PowerSource, charge: number | null): Rest {
  const isUnseen = rest.lastMs === null || atMs - rest.lastMs > unseenMs;
  const hasMoved = charge !== null && (rest.charge === null || Math.abs(charge - rest.charge) >= 1);
  return {
    lastMs: atMs,
    // After a clock that was set back the time counts from now.
    usedMs: isUnseen || source === 'battery' ? atMs : Math.min(rest.usedMs, atMs),
    charge: hasMoved ? charge : rest.charge,
    chargeMs: hasMoved || isUnseen ? atMs : Math.min(rest.chargeMs, atMs),
  };
}

/** `rest` after the sample. */
export function isFullAndRested(
  rest: Rest,
  source: PowerSource,
  words: readonly string[],
  charge: number | null,
): boolean {
  const atMs = rest.lastMs ?? 0;
  const busy = ['TEST', 'CAL', 'DISCHRG', 'OFF', 'BYPASS'].some((word) => words.includes(word));
  if (source !== 'line' || busy || atMs - rest.usedMs < restMs) return false;
  if (rest.charge === null) return atMs - rest.usedMs >= rechargedMs && !words.includes('CHRG');
  if (charge === null) return false;
  return charge >= fullPercent || (charge >= steadyPercent && atMs - rest.chargeMs >= steadyMs);
}
