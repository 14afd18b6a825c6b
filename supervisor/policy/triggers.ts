// Triggers 2 to 6 of specification/policy.md#triggers: the condition of each, its consecutive confirmations, and which
// one fires.
import type { TriggerName } from '../../shared/domain/states.js';
import { unreachable } from '../../shared/domain/unreachable.js';
import type { TriggerSettings } from './inputs.js';
import { formatNumber, formatMs } from './wording.js';

/** The triggers that need OB, in the order in which the first one that fires is the reason. */
export const batteryTriggers = [
  'LOW_BATTERY',
  'CRITICAL_RUNTIME',
  'DEPLETION',
  'EXTENDED_TIME',
  'LOW_BATTERY_FLAG',
] as const;
export type BatteryTrigger = (typeof batteryTriggers)[number];

/** LB waits only until a UPS has settled after a transfer (specification/policy.md#stabilization-delay). */
const lowBatteryFlagDelayMs = 5_000;

/** What one reading on battery says. Null: this reading lacks the value. */
export interface Facts {
  readonly chargePercent: number | null;
  readonly runtimeSeconds: number | null;
  readonly depletionRate: number | null;
  readonly onBatteryMs: number;
  readonly lowBatteryFlag: boolean;
}

/** Whether the reading meets `trigger`; null when it lacks the value, which says nothing either way. */
export function meets(trigger: BatteryTrigger, settings: TriggerSettings, facts: Facts): boolean | null {
  switch (trigger) {
    case 'LOW_BATTERY':
      return facts.chargePercent === null ? null : facts.chargePercent < settings.lowBatteryPercent;
    case 'CRITICAL_RUNTIME':
      return facts.runtimeSeconds === null ? null : facts.runtimeSeconds < settings.criticalRuntimeSeconds;
    case 'DEPLETION':
      if (facts.depletionRate === null) return null;
      return (
        facts.depletionRate > settings.depletion.criticalRate &&
        facts.onBatteryMs >= settings.depletion.graceMs
      );
    case 'EXTENDED_TIME':
      return settings.extendedTime.enabled && facts.onBatteryMs > settings.extendedTime.thresholdMs;
    case 'LOW_BATTERY_FLAG':
      return settings.lowBatteryFlag && facts.lowBatteryFlag;
    default:
      return unreachable(trigger);
  }
}

/** For each trigger, how many good readings in a row have met it; counted no further than confirmations ask for. */
export type Confirmed = Readonly<Record<BatteryTrigger, number>>;

export const nothingConfirmed: Confirmed = {
  LOW_BATTERY: 0,
  CRITICAL_RUNTIME: 0,
  DEPLETION: 0,
  EXTENDED_TIME: 0,
  LOW_BATTERY_FLAG: 0,
};

/** The counts after a good reading, the same object while they stay; `facts` is null when it had no OB. Counting goes on while a delay or a hold lasts. */
export function confirmed(before: Confirmed, settings: TriggerSettings, facts: Facts | null): Confirmed {
  if (facts === null) return nothingConfirmed;
  const counted = (trigger: BatteryTrigger) => {
    const met = meets(trigger, settings, facts);
    if (met === null) return before[trigger];
    return met ? Math.min(before[trigger] + 1, settings.confirmations) : 0;
  };
  const after: Confirmed = {
    LOW_BATTERY: counted('LOW_BATTERY'),
    CRITICAL_RUNTIME: counted('CRITICAL_RUNTIME'),
    DEPLETION: counted('DEPLETION'),
    EXTENDED_TIME: counted('EXTENDED_TIME'),
    LOW_BATTERY_FLAG: counted('LOW_BATTERY_FLAG'),
  };
  return batteryTriggers.every((trigger) => after[trigger] === before[trigger]) ? before : after;
}

/** How long `trigger` waits after a fresh transfer to battery. */
export function delayMs(trigger: BatteryTrigger, settings: TriggerSettings): number {
  if (trigger !== 'LOW_BATTERY_FLAG') return settings.stabilizationMs;
  return Math.min(settings.stabilizationMs, lowBatteryFlagDelayMs);
}

/**
 * The first trigger that fires at a reading on battery: confirmed, past its delay, and not held. A reading that lacks
 * the value still lets a confirmed trigger fire when its delay ends: nothing has spoken against it since.
 */
export function firing(
  counts: Confirmed,
  settings: TriggerSettings,
  onBatteryMs: number,
  isHeld: (trigger: BatteryTrigger) => boolean,
): BatteryTrigger | null {
  for (const trigger of batteryTriggers) {
    if (counts[trigger] < settings.confirmations) continue;
    if (onBatteryMs >= delayMs(trigger, settings) && !isHeld(trigger)) return trigger;
  }
  return null;
}

/** In words, why `trigger` was met; a value this reading lacks was in the readings that confirmed it. */
export function reasonOf(trigger: BatteryTrigger, settings: TriggerSettings, facts: Facts): string {
  switch (trigger) {
    case 'LOW_BATTERY':
      return `charge ${quantity(facts.chargePercent, '%')} below low_battery_threshold ${formatNumber(settings.lowBatteryPercent)} %`;
    case 'CRITICAL_RUNTIME':
      return `runtime ${quantity(facts.runtimeSeconds, 's')} below critical_runtime_threshold ${formatNumber(settings.criticalRuntimeSeconds)} s`;
    case 'DEPLETION':
      return `depletion ${quantity(facts.depletionRate, '%/min')} above depletion.critical_rate ${formatNumber(settings.depletion.criticalRate)} %/min`;
    case 'EXTENDED_TIME':
      return `on battery for ${formatMs(facts.onBatteryMs)}, longer than extended_time.threshold ${formatMs(settings.extendedTime.thresholdMs)}`;
    case 'LOW_BATTERY_FLAG':
      return 'the UPS itself says that its battery is low (LB)';
    default:
      return unreachable(trigger);
  }
}

function quantity(value: number | null, unit: string): string {
  return value === null ? '(as last read)' : `${formatNumber(value)} ${unit},`;
}

/** A trigger that was met, and stays so until the outage ends. */
export interface LatchedTrigger {
  readonly trigger: TriggerName;
  readonly why: string;
  readonly sinceUnixSeconds: number;
}
