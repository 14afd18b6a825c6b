// Which trigger contract 3 asks for at a reading: its table, its delays, confirmations and holds.
import type { TriggerName } from '../../../shared/domain/states.js';
import type { TriggerSettings } from '../../../supervisor/policy/inputs.js';
import { depletionRate } from './charge-log.js';
import type { UpsHistory, Told } from './ups-history.js';

export const triggerNames = [
  'LOW_BATTERY',
  'CRITICAL_RUNTIME',
  'DEPLETION',
  'EXTENDED_TIME',
  'LOW_BATTERY_FLAG',
] as const;
type Confirmable = (typeof triggerNames)[number];

/** Consecutive good readings that met each trigger. */
export type InARow = Readonly<Record<Confirmable, number>>;

export const noneInARow: InARow = {
  LOW_BATTERY: 0,
  CRITICAL_RUNTIME: 0,
  DEPLETION: 0,
  EXTENDED_TIME: 0,
  LOW_BATTERY_FLAG: 0,
};

const testLimitMs = 15 * 60_000;
const calibrationLimitMs = 4 * 60 * 60_000;
const calibrationLowMs = 60_000;
const longestLowFlagDelayMs = 5_000;

/** The counts after the last reading of `upsHistory`. */
export function counted(
  before: InARow,
  upsHistory: UpsHistory,
  settings: TriggerSettings,
  intervalMs: number,
): InARow {
  const { last } = upsHistory;
  if (last === null || !last.onBattery) return noneInARow;
  const met = metBy(upsHistory, last, settings, intervalMs);
  const after = (name: Confirmable) => {
    const isMet = met[name];
    return isMet === null ? before[name] : isMet ? before[name] + 1 : 0;
  };
  return {
    LOW_BATTERY: after('LOW_BATTERY'),
    CRITICAL_RUNTIME: after('CRITICAL_RUNTIME'),
    DEPLETION: after('DEPLETION'),
    EXTENDED_TIME: after('EXTENDED_TIME'),
    LOW_BATTERY_FLAG: after('LOW_BATTERY_FLAG'),
  };
}

/** The first of triggers 2 to 6 that must fire at the last reading; null for none. */
export function due(inARow: InARow, upsHistory: UpsHistory, settings: TriggerSettings): Confirmable | null {
  const { last } = upsHistory;
  if (last === null || !last.onBattery) return null;
  const onBatteryMs = last.atMs - (upsHistory.outageMs ?? last.atMs);
  return (
    triggerNames.find(
      (name) =>
        inARow[name] >= settings.confirmations &&
        onBatteryMs >= delayOf(name, settings) &&
        !isHeld(name, upsHistory, last.atMs),
    ) ?? null
  );
}

/** FSD has priority over all triggers. */
export function demandOf(
  upsHistory: UpsHistory,
  inARow: InARow,
  settings: TriggerSettings,
): Exclude<TriggerName, 'FAILSAFE'> | null {
  if (upsHistory.fsd === 'acting' && upsHistory.last?.words.includes('FSD') === true) return 'FSD';
  return due(inARow, upsHistory, settings);
}

/** Null: the reading lacks the value and does not count. */
function metBy(
  upsHistory: UpsHistory,
  last: Told,
  settings: TriggerSettings,
  intervalMs: number,
): Readonly<Record<Confirmable, boolean | null>> {
  const { chargePercent, runtimeSeconds } = last;
  const onBatteryMs = last.atMs - (upsHistory.outageMs ?? last.atMs);
  const { windowMs, criticalRate, graceMs } = settings.depletion;
  const rate = chargePercent === null ? null : depletionRate(upsHistory.charges, windowMs, intervalMs);
  return {
    LOW_BATTERY: chargePercent === null ? null : chargePercent < settings.lowBatteryPercent,
    CRITICAL_RUNTIME: runtimeSeconds === null ? null : runtimeSeconds < settings.criticalRuntimeSeconds,
    DEPLETION: rate === null ? null : rate > criticalRate && onBatteryMs >= graceMs,
    EXTENDED_TIME: settings.extendedTime.enabled && onBatteryMs > settings.extendedTime.thresholdMs,
    LOW_BATTERY_FLAG: settings.lowBatteryFlag && last.words.includes('LB'),
  };
}

function delayOf(name: Confirmable, { stabilizationMs }: TriggerSettings): number {
  return name === 'LOW_BATTERY_FLAG' ? Math.min(longestLowFlagDelayMs, stabilizationMs) : stabilizationMs;
}

function isHeld(name: Confirmable, upsHistory: UpsHistory, nowMs: number): boolean {
  const holds = (sinceMs: number | null, limitMs: number) => sinceMs !== null && nowMs - sinceMs < limitMs;
  if (name === 'LOW_BATTERY_FLAG') return holds(upsHistory.calibrationLowMs, calibrationLowMs);
  return holds(upsHistory.testMs, testLimitMs) || holds(upsHistory.calibrationMs, calibrationLimitMs);
}
