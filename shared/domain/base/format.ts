// Quantities as text, for event details, messages and explanations.
import { inUnits } from './duration.js';

/** 45 s, 2 min, 2 min 5 s, 3 h 20 min. */
export function formatMs(ms: number): string {
  return inUnits(Math.max(0, Math.floor(ms / 1000)), ' ', 1);
}

/** A number with at most two decimals and no trailing zeros. */
export function formatNumber(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** `charge 87 %, runtime 25 min`; a missing reading is named as missing. */
export function formatBattery(chargePercent: number | null, runtimeSeconds: number | null): string {
  const charge = chargePercent === null ? 'charge unknown' : `charge ${formatNumber(chargePercent)} %`;
  const runtime = runtimeSeconds === null ? 'runtime unknown' : `runtime ${formatMs(runtimeSeconds * 1000)}`;
  return `${charge}, ${runtime}`;
}

/** `1 step`, `3 steps`. */
export function countText(count: number, one: string, more = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : more}`;
}

/** A name and what is known under it. */
export type LabelledFact = readonly [name: string, text: string];
