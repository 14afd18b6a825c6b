// The time that the battery gave, over outages that follow each other (specification/policy.md#extended-time). Pure.

export interface BatteryTime {
  /** The sum at `atMs`. */
  readonly ms: number;
  readonly atMs: number;
  /** 1 on battery, -0.1 on line power, 0 otherwise; since `sinceMs`. */
  readonly rate: number;
  readonly sinceMs: number;
  /** The charge before it; null while unknown. */
  readonly full: number | null;
  /** Since when each reading has shown that charge again. */
  readonly fullMs: number | null;
  readonly gauge: 'unproven' | 'falls' | 'silent';
}

export const noBatteryTime: BatteryTime = {
  ms: 0,
  atMs: 0,
  rate: 0,
  sinceMs: 0,
  full: null,
  fullMs: null,
  gauge: 'unproven',
};

/** A gauge that has not fallen on battery for longer is not believed. */
const silentMs = 90_000;

/** After a reading, which shows nothing younger than `askedMs`. A gauge that is not silent and has shown the charge before for longer than `holdMs` ends the sum. */
export function batteryTimeAfter(
  before: BatteryTime,
  rate: number,
  charge: number | null,
  holdMs: number,
  nowMs: number,
  askedMs = nowMs,
): BatteryTime {
  const atMs = Math.max(askedMs, before.atMs);
  const ms = Math.max(0, before.ms + (atMs - before.atMs) * before.rate);
  const sinceMs = rate === before.rate ? before.sinceMs : atMs;
  const at = { ms, atMs, rate, sinceMs };
  if (ms === 0 && rate <= 0) return { ...noBatteryTime, ...at, full: charge || before.full };
  const full = before.full ?? charge;
  const isFull = charge !== null && charge > 0 && charge >= (before.full ?? charge);
  const isSilent = rate > 0 && isFull && before.gauge === 'unproven' && ms > silentMs;
  const gauge = charge !== null && !isFull ? 'falls' : isSilent ? 'silent' : before.gauge;
  const fullMs = charge === null ? before.fullMs : isFull ? (before.fullMs ?? nowMs) : null;
  const isBack = rate < 0 && gauge !== 'silent' && fullMs !== null && askedMs - fullMs > holdMs;
  // What the battery gave before it was measured is not missing.
  const leftMs = askedMs - sinceMs > holdMs ? 0 : Math.min(ms, holdMs);
  return { ...at, ms: isBack ? leftMs : ms, full, fullMs, gauge };
}
