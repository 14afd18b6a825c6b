// The power source of the load and the clock of the outage. Only status words of good readings decide it.
import type { PowerSource } from '../../shared/domain/status-words.js';
import { unreachable } from '../../shared/domain/unreachable.js';
import type { BatteryUse } from './battery-time.js';
import type { PolicyClock } from './clock.js';

/** Two outages within this time are one: the battery has not recharged (specification/policy.md#outage). */
const resumeWithinMs = 60_000;

/** When the load went on battery, later by the time on line power and in bypass. Time on battery and the stabilization delay run from here. */
export interface OutageClock {
  readonly startedMs: number;
  readonly startedUnixSeconds: number;
}

export interface EndedOutage extends OutageClock {
  readonly endedMs: number;
}

/** BYPASS in every reading since `sinceMs`: mains feed the load, and the clock of the outage stands. */
export interface Bypass {
  readonly sinceMs: number;
  /** Since when every reading showed mains at the input, or no voltage; null while the last one shows too little. */
  readonly mainsSinceMs: number | null;
}

/**
 *            OB                  `confirmations` readings in a row with line power, or BYPASS with mains for `bypass_end_delay`
 *   unseen ------> outage ----------------------------------------------------------------> mains
 *      |             ^                                                                        |
 *      +--> mains ---+------- OB; within 60 s of the end with the earlier clock <-------------+
 *
 * A single OL ends no `outage`, nor do OFF and the words that name no source: they go on as OB would. Only OB starts one.
 */
export type Line =
  | { readonly kind: 'unseen' }
  | { readonly kind: 'mains'; readonly ended: EndedOutage | null }
  | {
      readonly kind: 'outage';
      readonly clock: OutageClock;
      readonly lineReadings: number;
      /** The last reading counts as OB, or one before BYPASS did. */
      readonly onBattery: boolean;
      readonly bypass: Bypass | null;
    };

/** What a reading says of the source. */
export interface SourceReading {
  readonly source: PowerSource;
  /** The input voltage is above half of nominal, or not shown. */
  readonly mayHaveMains: boolean;
}

export interface LineSettings {
  readonly confirmations: number;
  /** 0: BYPASS ends no outage. */
  readonly bypassEndMs: number;
}

export const unseenLine: Line = { kind: 'unseen' };

const mains: Line = { kind: 'mains', ended: null };

/** The line after a good reading. */
export function lineAfterReading(
  line: Line,
  reading: SourceReading,
  settings: LineSettings,
  now: PolicyClock,
): Line {
  const { source } = reading;
  switch (line.kind) {
    case 'unseen':
      return source === 'battery' ? begun(now) : mains;
    case 'mains':
      if (source !== 'battery') return line;
      if (line.ended === null || now.monotonicMs - line.ended.endedMs > resumeWithinMs) return begun(now);
      return resumed(line.ended, now);
    case 'outage':
      return inOutage(line, reading, settings, now);
    default:
      return unreachable(line);
  }
}

/** The last known status counts as OB: without readings the outage is assumed to go on. */
export function isOnBattery(line: Line): boolean {
  return line.kind === 'outage' && line.onBattery;
}

/** A reading of `source`, after which the line is `line`, counts as OB: its values, LB and the clock act. */
export function countsAsBattery(line: Line, source: PowerSource): boolean {
  return source === 'battery' || (line.kind === 'outage' && (source === 'off' || source === 'neither'));
}

/** What the battery does from a reading of `source` to the next, for the time that it gives. */
export function batteryUse(line: Line, source: PowerSource): BatteryUse {
  if (countsAsBattery(line, source)) return 'gives';
  return source === 'line' ? 'charges' : 'rests';
}

/** Milliseconds on battery; 0 without an outage. */
export function onBatteryMs(line: Line, nowMs: number): number {
  return line.kind === 'outage' ? Math.max(0, (line.bypass?.sinceMs ?? nowMs) - line.clock.startedMs) : 0;
}

/** Some devices and drivers report the charge late: what fell in the outage shows after it. */
const settlingMs = 60_000;

/** In an outage, or shortly after one. */
export function isSettling(line: Line, nowMs: number): boolean {
  if (line.kind !== 'mains') return line.kind === 'outage';
  return line.ended !== null && nowMs - line.ended.endedMs < settlingMs;
}

/** A new transfer to battery, not one that resumes the outage that just ended. */
export function isFreshOutage(before: Line, after: Line, { monotonicMs }: PolicyClock): boolean {
  return before.kind !== 'outage' && after.kind === 'outage' && after.clock.startedMs === monotonicMs;
}

type Outage = Extract<Line, { kind: 'outage' }>;

function inOutage(line: Outage, reading: SourceReading, settings: LineSettings, now: PolicyClock): Line {
  if (reading.source === 'bypass') return inBypass(line, reading.mayHaveMains, settings.bypassEndMs, now);
  const outage = withoutBypass(line, now);
  if (reading.source !== 'line') {
    return outage.lineReadings === 0 && outage.onBattery
      ? outage
      : { ...outage, lineReadings: 0, onBattery: true };
  }
  const lineReadings = outage.lineReadings + 1;
  if (lineReadings < settings.confirmations) return { ...outage, lineReadings, onBattery: false };
  return ended(outage, now);
}

function inBypass(line: Outage, mayHaveMains: boolean, endMs: number, now: PolicyClock): Line {
  const nowMs = now.monotonicMs;
  const mainsSinceMs = mayHaveMains ? (line.bypass?.mainsSinceMs ?? nowMs) : null;
  if (endMs > 0 && mainsSinceMs !== null && nowMs - mainsSinceMs >= endMs) {
    return ended(withoutBypass(line, now), now);
  }
  if (line.bypass !== null && line.bypass.mainsSinceMs === mainsSinceMs) return line;
  return { ...line, lineReadings: 0, bypass: { sinceMs: line.bypass?.sinceMs ?? nowMs, mainsSinceMs } };
}

/** The clock goes on from where it stood. */
function withoutBypass(line: Outage, { monotonicMs }: PolicyClock): Outage {
  if (line.bypass === null) return line;
  const startedMs = line.clock.startedMs + (monotonicMs - line.bypass.sinceMs);
  return { ...line, clock: { ...line.clock, startedMs }, bypass: null };
}

function ended({ clock }: Outage, { monotonicMs }: PolicyClock): Line {
  return { kind: 'mains', ended: { ...clock, endedMs: monotonicMs } };
}

function begun(now: PolicyClock): Line {
  const clock = { startedMs: now.monotonicMs, startedUnixSeconds: now.unixSeconds };
  return { kind: 'outage', clock, lineReadings: 0, onBattery: true, bypass: null };
}

/** Without the time on line power: the time on battery is what the battery has given. */
function resumed(
  { startedMs, startedUnixSeconds, endedMs }: EndedOutage,
  { monotonicMs }: PolicyClock,
): Line {
  const clock = { startedMs: startedMs + (monotonicMs - endedMs), startedUnixSeconds };
  return { kind: 'outage', clock, lineReadings: 0, onBattery: true, bypass: null };
}
