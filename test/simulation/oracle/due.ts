// Which trigger contract 3 asks for at a reading: its table, its delays, confirmations and holds.
import type { TriggerName } from '../../../shared/domain/states.js';
import type { TriggerSettings } from '../../../shared/domain/triggers/table.js';
import { depletionRate } from './charge-log.js';
import type { UpsHistory, Told } from './diary.js';

export const triggerNames = [
  'LOW_BATTERY',
  'CRITICAL_RUNTIME',
  'DEPLETION',
  'EXTENDED_TIME',
  'LOW_BATTERY_FLAG',
] as const;
type Confirmable = (typeof triggerNames)[number];

/** Good readings in a row that met each trigger. */
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

/** The counts after the last reading of `diary`. */
export function counted(
  before: InARow,
  diary: UpsHistory,
  settings: TriggerSettings,
  intervalMs: number,
): InARow {
  const { last } = diary;
  if (last === null || !last.onBattery) return noneInARow;
  const met = metBy(diary, last, settings, intervalMs);
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

/** The first of 2 to 6 that has to act at the last reading; null when none has to. */
export function due(inARow: InARow, diary: UpsHistory, settings: TriggerSettings): Confirmable | null {
  const { last } = diary;
  if (last === null || !last.onBattery) return null;
  const onBatteryMs = last.atMs - (diary.outageMs ?? last.atMs);
  return (
    triggerNames.find(
      (name) =>
        inARow[name] >= settings.confirmations &&
        onBatteryMs >= delayOf(name, settings) &&
        !isHeld(name, diary, last.atMs),
    ) ?? null
  );
}

/** What is due by FSD comes before everything else. */
export function demandOf(
  diary: UpsHistory,
  inARow: InARow,
  settings: TriggerSettings,
): Exclude<TriggerName, 'FAILSAFE'> | null {
  if (diary.fsd === 'acting' && diary.last?.words.includes('FSD') === true) return 'FSD';
  return due(inARow, diary, settings);
}

/** Null: the reading lacks the value and says nothing. */
function metBy(
  diary: UpsHistory,
  last: Told,
  settings: TriggerSettings,
  intervalMs: number,
): Readonly<Record<Confirmable, boolean | null>> {
  const { chargePercent, runtimeSeconds } = last;
  const onBatteryMs = last.atMs - (diary.outageMs ?? last.atMs);
  const { windowMs, criticalRate, graceMs } = settings.depletion;
  const rate = chargePercent === null ? null : depletionRate(diary.charges, windowMs, intervalMs);
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

function isHeld(name: Confirmable, diary: UpsHistory, nowMs: number): boolean {
  const holds = (sinceMs: number | null, limitMs: number) => sinceMs !== null && nowMs - sinceMs < limitMs;
  if (name === 'LOW_BATTERY_FLAG') return holds(diary.calibrationLowMs, calibrationLowMs);
  return holds(diary.testMs, testLimitMs) || holds(diary.calibrationMs, calibrationLimitMs);
}
