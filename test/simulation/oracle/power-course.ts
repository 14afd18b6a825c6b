// What a status with OL and OB, or with words of no source, does to an outage: specification/policy.md#source-unknown, #outage.
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { Lowest, Unknown } from './unknown-source.js';
import { beganMs, lowestAfter, provenMs, unknownAfter } from './unknown-source.js';

/** What of the daemon's own course a reading depends on. */
export interface Course {
  /** The sequence of the UPS runs. */
  readonly hasSequence: boolean;
  /** The reading before met a trigger by charge, runtime or LB. */
  readonly isLow: boolean;
}

/** What is known before a reading. */
interface Before {
  readonly unknown: Unknown | null;
  readonly lowest: Lowest | null;
  readonly outageMs: number | null;
  readonly unconfirmed: number | null;
  readonly last: object | null;
  readonly bypass: Bypass;
  readonly endedOutage: { readonly startedMs: number; readonly endedMs: number } | null;
}

type Bypass = { readonly sinceMs: number; readonly mainsMs: number | null } | null;

interface Read {
  readonly atMs: number;
  readonly onBattery: boolean;
  readonly inBypass: boolean;
}

/** "Source unknown": whether it is, and whether it begins or ends an outage. */
export function sourceAfter(
  { unknown, lowest, outageMs, last }: Omit<Before, 'unconfirmed' | 'bypass' | 'endedOutage'>,
  { onLine, hasOb, isBoth }: { readonly onLine: boolean; readonly hasOb: boolean; readonly isBoth: boolean },
  shown: Parameters<typeof unknownAfter>[1],
  { hasSequence, isLow }: Course,
  holdMs: number,
  { confirmations }: UpsSettings['triggers'],
): {
  readonly unknown: Unknown | null;
  readonly lowest: Lowest | null;
  readonly beganMs: number | null;
  readonly isQuiet: boolean;
} {
  const none = { unknown: null, lowest: null, beganMs: null, isQuiet: false };
  if (outageMs !== null) {
    if (lowest === null || !hasOb) return { ...none, lowest };
    const after = lowestAfter(lowest, shown);
    const now = isBoth ? after : { ...after, atMs: shown.atMs };
    if (shown.atMs - now.atMs <= 300_000 || isLow || hasSequence) return { ...none, lowest: now };
    return { ...none, unknown: unknownAfter(null, shown), isQuiet: true };
  }
  if (unknown === null) {
    const isFirst = last === null && isBoth && !hasSequence;
    return { ...none, unknown: isFirst ? unknownAfter(null, shown) : null };
  }
  if (onLine) return none;
  if (!hasOb) return { ...none, unknown };
  const after = unknownAfter(unknown, shown);
  const isNamed = !isBoth || hasSequence;
  const began = isNamed ? (beganMs(after) ?? shown.atMs) : provenMs(after, confirmations, holdMs);
  return began === null
    ? { ...none, unknown: after }
    : { ...none, lowest: lowestAfter(null, shown), beganMs: began };
}

/** Readings with OB that have not confirmed it; null once it is confirmed. */
export function unconfirmedAfter(
  { outageMs, unconfirmed }: Pick<Before, 'outageMs' | 'unconfirmed'>,
  afterMs: number | null,
  is: {
    readonly hasOb: boolean;
    readonly onLine: boolean;
    readonly isNameless: boolean;
    readonly isConfirmed: boolean;
  },
  confirmations: number,
): number | null {
  if (afterMs === null) return null;
  const before = outageMs === null ? 0 : unconfirmed;
  if (before === null || (is.isNameless && is.isConfirmed)) return null;
  if (is.hasOb) return before + 1 >= confirmations ? null : before + 1;
  return is.onLine || is.isNameless ? 0 : before;
}

/** "After 60 s of BYPASS with an input voltage above half of nominal, or none shown": the worlds show the nominal voltage with it. */
export function bypassAfter(
  { bypass }: Pick<Before, 'bypass'>,
  { atMs, inBypass }: Pick<Read, 'atMs' | 'inBypass'>,
  volts: number | null,
  nominalVolts: number | null,
): Bypass {
  if (!inBypass) return null;
  const isDead = volts !== null && volts <= (nominalVolts ?? 0) / 2;
  return { sinceMs: bypass?.sinceMs ?? atMs, mainsMs: isDead ? null : (bypass?.mainsMs ?? atMs) };
}

export function isBypassOver(bypass: Bypass, endMs: number, atMs: number): boolean {
  const mainsMs = bypass?.mainsMs ?? null;
  return endMs > 0 && mainsMs !== null && atMs - mainsMs >= endMs;
}

/** "OB again within 60 s of the end resumes the earlier clocks." */
const resumeMs = 60_000;

export function outageAfter(
  { outageMs: startedMs, bypass, endedOutage }: Pick<Before, 'outageMs' | 'bypass' | 'endedOutage'>,
  { atMs, onBattery, inBypass }: Pick<Read, 'atMs' | 'onBattery' | 'inBypass'>,
  isStable: boolean,
  fellMs: number | null,
): Pick<Before, 'outageMs' | 'endedOutage'> {
  // The clock stands in bypass: it goes on later by the stay.
  const stoodMs = bypass !== null && (!inBypass || isStable) ? atMs - bypass.sinceMs : 0;
  const outageMs = startedMs === null ? null : startedMs + stoodMs;
  if (outageMs !== null) {
    return isStable
      ? { outageMs: null, endedOutage: { startedMs: outageMs, endedMs: atMs } }
      : { outageMs, endedOutage };
  }
  if (!onBattery) return { outageMs, endedOutage };
  if (fellMs !== null) return { outageMs: fellMs, endedOutage };
  const resumes = endedOutage !== null && atMs - endedOutage.endedMs <= resumeMs;
  const onLineMs = endedOutage === null ? 0 : atMs - endedOutage.endedMs;
  return { outageMs: resumes ? endedOutage.startedMs + onLineMs : atMs, endedOutage };
}

export type Fsd = 'unread' | 'absent' | 'latched' | 'acting';

/** "Latched FSD": there in the first reading of the boot, with OL and without OB. */
export function fsdAfter(
  before: Fsd,
  isShown: boolean,
  { onLine, onBattery }: Pick<Read, 'onBattery'> & { readonly onLine: boolean },
): Fsd {
  if (before === 'acting') return !isShown && onLine ? 'absent' : 'acting';
  if (!isShown) return 'absent';
  if (before === 'unread') return onLine ? 'latched' : 'acting';
  return before === 'latched' && !onBattery ? 'latched' : 'acting';
}

export interface First {
  readonly charge: number | null;
  readonly runtime: number | null;
}

export function firstAfter(
  before: First,
  observed: Pick<Read, 'onBattery'> & {
    readonly isUnknown: boolean;
    readonly chargePercent: number | null;
    readonly runtimeSeconds: number | null;
  },
): First {
  if (!observed.onBattery && !observed.isUnknown) return before;
  return {
    charge: before.charge ?? observed.chargePercent,
    runtime: before.runtime ?? observed.runtimeSeconds,
  };
}
