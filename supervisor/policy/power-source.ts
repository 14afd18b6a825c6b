// The power source of the load and the clock of the outage. Only status words of good readings decide it.
import type { PowerSource } from '../../shared/domain/status-words.js';
import { unreachable } from '../../shared/domain/unreachable.js';
import type { PolicyClock } from './clock.js';

/** Two outages within this time are one: the battery has not recharged (specification/policy.md#outage). */
const resumeWithinMs = 60_000;

/** When the load went on battery, later by the time on line power in between. Time on battery and the stabilization delay run from here. */
export interface OutageClock {
  readonly startedMs: number;
  readonly startedUnixSeconds: number;
}

export interface EndedOutage extends OutageClock {
  readonly endedMs: number;
}

/**
 *            OB                        `confirmations` readings in a row with OL and without OB
 *   unseen ------> outage ----------------------------------------------------------------> mains
 *      |             ^                                                                        |
 *      +--> mains ---+------- OB; within 60 s of the end with the earlier clock <-------------+
 *
 * OFF, BYPASS or a single OL do not end an `outage`. `mains`: no outage is known; OFF alone starts none.
 */
export type Line =
  | { readonly kind: 'unseen' }
  | { readonly kind: 'mains'; readonly ended: EndedOutage | null }
  | {
      readonly kind: 'outage';
      readonly clock: OutageClock;
      readonly lineReadings: number;
      /** The last status with a power source had OB; a status with neither OL nor OB (OFF, BYPASS) does not count. */
      readonly onBattery: boolean;
    };

export const unseenLine: Line = { kind: 'unseen' };

const mains: Line = { kind: 'mains', ended: null };

/** The line after a good reading whose words say `source`. */
export function lineAfterReading(
  line: Line,
  source: PowerSource,
  confirmations: number,
  now: PolicyClock,
): Line {
  switch (line.kind) {
    case 'unseen':
      return source === 'battery' ? begun(now) : mains;
    case 'mains':
      if (source !== 'battery') return line;
      if (line.ended === null || now.monotonicMs - line.ended.endedMs > resumeWithinMs) return begun(now);
      return resumed(line.ended, now);
    case 'outage':
      return inOutage(line, source, confirmations, now);
    default:
      return unreachable(line);
  }
}

/** The last known status is OB: without readings the outage is assumed to go on. */
export function isOnBattery(line: Line): boolean {
  return line.kind === 'outage' && line.onBattery;
}

/** Milliseconds on battery; 0 without an outage. */
export function onBatteryMs(line: Line, nowMs: number): number {
  return line.kind === 'outage' ? Math.max(0, nowMs - line.clock.startedMs) : 0;
}

function inOutage(
  line: Extract<Line, { kind: 'outage' }>,
  source: PowerSource,
  confirmations: number,
  now: PolicyClock,
): Line {
  if (source !== 'line') {
    const onBattery = line.onBattery || source === 'battery';
    return line.lineReadings === 0 && onBattery === line.onBattery
      ? line
      : { ...line, lineReadings: 0, onBattery };
  }
  const lineReadings = line.lineReadings + 1;
  if (lineReadings < confirmations) return { ...line, lineReadings, onBattery: false };
  return { kind: 'mains', ended: { ...line.clock, endedMs: now.monotonicMs } };
}

function begun(now: PolicyClock): Line {
  const clock = { startedMs: now.monotonicMs, startedUnixSeconds: now.unixSeconds };
  return { kind: 'outage', clock, lineReadings: 0, onBattery: true };
}

/** Without the time on line power: the time on battery is what the battery has given. */
function resumed(
  { startedMs, startedUnixSeconds, endedMs }: EndedOutage,
  { monotonicMs }: PolicyClock,
): Line {
  const clock = { startedMs: startedMs + (monotonicMs - endedMs), startedUnixSeconds };
  return { kind: 'outage', clock, lineReadings: 0, onBattery: true };
}
