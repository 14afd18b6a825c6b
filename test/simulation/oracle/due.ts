// Which trigger a reading must fire by specification/policy.md#triggers: the table, delays, confirmations and inhibits.
import type { TriggerName } from '../../../shared/domain/status/states.js';
import type { BatteryTriggerName, TriggerSettings } from '../../../shared/domain/triggers/table.js';
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import { isHeldByRuntime } from './charge-log.js';
import { givenMs } from './given.js';
import { crossedFar, holds, hasOutlasted, isConfirmed } from './doubt.js';
import type { UpsHistory, Observed } from './ups-history.js';
import { onBatteryMs } from './ups-history.js';
import { isBelowNominal } from './zeros.js';

/** What one reading on battery tells, as the oracle keeps it. */
interface TriggerFacts {
  readonly chargePercent: number | null;
  readonly runtimeSeconds: number | null;
  readonly rate: number | null;
  readonly onBatteryMs: number;
  readonly words: readonly string[];
  readonly offMs: number;
  readonly givenMs: number;
}

/** Whether the reading meets a trigger; null: it lacks the value and says nothing. In the order of the specification. */
const rules = {
  LOW_BATTERY: ({ chargePercent }, settings) =>
    chargePercent === null ? null : chargePercent < settings.lowBatteryPercent,
  CRITICAL_RUNTIME: ({ runtimeSeconds }, settings) =>
    runtimeSeconds === null ? null : runtimeSeconds < settings.criticalRuntimeSeconds,
  DEPLETION: ({ chargePercent, rate, onBatteryMs }, { depletion }) =>
    chargePercent === null
      ? null
      : rate !== null && rate > depletion.criticalRate && onBatteryMs >= depletion.graceMs,
  EXTENDED_TIME: ({ givenMs: sumMs }, { extendedTime }) =>
    extendedTime.enabled && sumMs > extendedTime.thresholdMs,
  LOW_BATTERY_FLAG: ({ words }, settings) => settings.lowBatteryFlag && words.includes('LB'),
  OUTPUT_OFF: ({ offMs }, { outputOffMs }) => outputOffMs > 0 && offMs >= outputOffMs,
} as const satisfies Readonly<
  Record<BatteryTriggerName, (observed: TriggerFacts, settings: TriggerSettings) => boolean | null>
>;

export const triggerNames = Object.keys(rules) as readonly BatteryTriggerName[];

/** Good readings in a row that met each trigger. */
export type InARow = Readonly<Record<BatteryTriggerName, number>>;

export const noneInARow = Object.fromEntries(triggerNames.map((name) => [name, 0])) as InARow;

/** While the source is unknown. */
const ofValues: readonly BatteryTriggerName[] = ['LOW_BATTERY', 'CRITICAL_RUNTIME', 'LOW_BATTERY_FLAG'];

const testLimitMs = 15 * 60_000;
const calibrationLimitMs = 4 * 60 * 60_000;
const calibrationLowMs = 60_000;
const longestLowFlagDelayMs = 5_000;

/** The counts after the last reading of `upsHistory`. */
export function counted(before: InARow, upsHistory: UpsHistory, settings: TriggerSettings): InARow {
  const { last } = upsHistory;
  if (last === null || !(last.onBattery || last.isUnknown)) return noneInARow;
  const observed = observedBy(upsHistory, last);
  const after = { ...before };
  for (const name of triggerNames) {
    const isMet = last.isUnknown && !ofValues.includes(name) ? false : rules[name](observed, settings);
    if (isMet !== null) after[name] = isMet ? before[name] + 1 : 0;
  }
  return after;
}

/** "After a reload, or a restart with another file, a count stands where the value that was last read meets the threshold." */
export function recounted(before: InARow, upsHistory: UpsHistory, settings: TriggerSettings): InARow {
  const { last, charge, runtime } = upsHistory;
  if (last === null) return before;
  const chargePercent = last.chargePercent ?? charge.value;
  const runtimeSeconds = last.runtimeSeconds ?? runtime.value;
  const observed = observedBy(upsHistory, { ...last, chargePercent, runtimeSeconds });
  const after = { ...before };
  for (const name of triggerNames) if (rules[name](observed, settings) === false) after[name] = 0;
  return after;
}

/** The first trigger that needs OB and must fire at the last reading; null for none. */
export function due(
  inARow: InARow,
  upsHistory: UpsHistory,
  settings: TriggerSettings,
  given: UpsSettings['holds'],
): BatteryTriggerName | null {
  const { last } = upsHistory;
  if (last === null || !(last.onBattery || last.isUnknown)) return null;
  const { unknown } = upsHistory;
  const lastedMs = unknown === null ? onBatteryMs(upsHistory, last.atMs) : last.atMs - unknown.sinceMs;
  return (
    triggerNames.find(
      (name) =>
        inARow[name] >= (name === 'OUTPUT_OFF' ? 1 : settings.confirmations) &&
        lastedMs >= delayOf(name, settings, last, upsHistory) &&
        !isDoubted(name, upsHistory, last, settings, given) &&
        !isInhibited(name, upsHistory, last.atMs),
    ) ?? null
  );
}

/** FSD has priority over all triggers. */
export function demandOf(
  upsHistory: UpsHistory,
  inARow: InARow,
  settings: TriggerSettings,
  given: UpsSettings['holds'],
): Exclude<TriggerName, 'FAILSAFE'> | null {
  if (upsHistory.fsd === 'acting' && upsHistory.last?.words.includes('FSD') === true) return 'FSD';
  return due(inARow, upsHistory, settings, given);
}

function observedBy(
  upsHistory: UpsHistory,
  { atMs, askedMs, chargePercent, runtimeSeconds, words }: Observed,
): TriggerFacts {
  const { rate } = upsHistory.charges;
  const offMs = askedMs - (upsHistory.offMs ?? Infinity);
  return {
    chargePercent,
    runtimeSeconds,
    rate,
    onBatteryMs: onBatteryMs(upsHistory, atMs),
    words,
    offMs,
    givenMs: givenMs(upsHistory.given, atMs),
  };
}

function delayOf(
  name: BatteryTriggerName,
  settings: TriggerSettings,
  last: Observed,
  { first, variables }: UpsHistory,
): number {
  const { stabilizationMs, lowBatteryFlagDelayMs } = settings;
  if (name === 'OUTPUT_OFF') return 0;
  if (name !== 'LOW_BATTERY_FLAG') return stabilizationMs;
  const usualMs = Math.min(longestLowFlagDelayMs, stabilizationMs);
  const isHeld = isContradicted(last, first, settings) && !isBelowNominal(variables);
  return isHeld ? Math.max(usualMs, lowBatteryFlagDelayMs) : usualMs;
}

/** "LB is contradicted": the worlds of the simulation report no result of a test. */
function isContradicted(
  { words, chargePercent, runtimeSeconds }: Observed,
  first: UpsHistory['first'],
  { lowBatteryPercent: low, criticalRuntimeSeconds: critical }: TriggerSettings,
): boolean {
  if (!words.includes('LB') || words.includes('RB') || chargePercent === null || runtimeSeconds === null)
    return false;
  const isHigh = low > 0 && critical > 0 && chargePercent > 2 * low && runtimeSeconds > 2 * critical;
  const isSteady =
    chargePercent > 0.9 * (first.charge ?? chargePercent) &&
    runtimeSeconds > 0.9 * (first.runtime ?? runtimeSeconds);
  return isHigh && isSteady;
}

/** "In doubt", of the value that the trigger needs; LB that charge and runtime do not bear out must outlast the status. */
function isDoubted(
  name: BatteryTriggerName,
  { charge, runtime, variables, lowFlagMs, offMs, charges }: UpsHistory,
  { atMs, askedMs, words, chargePercent, runtimeSeconds }: Observed,
  settings: TriggerSettings,
  given: UpsSettings['holds'],
): boolean {
  const { value, status } = holds(variables, given, settings);
  const { lowBatteryPercent: low, criticalRuntimeSeconds: critical } = settings;
  // "Which `critical_runtime_threshold` does not shorten."
  const whole = holds(variables, given, { criticalRuntimeSeconds: 0 });
  if (name === 'OUTPUT_OFF') return !hasOutlasted(offMs ?? atMs, askedMs, whole.status);
  if (name === 'LOW_BATTERY_FLAG') {
    const isLow = (read: number | null, threshold: number) => read !== null && read <= threshold;
    const bornOut = isLow(chargePercent, low) || isLow(runtimeSeconds, critical);
    return !bornOut && !hasOutlasted(lowFlagMs ?? atMs, askedMs, Math.min(status, 5_000));
  }
  if (name === 'DEPLETION') {
    const { runtimeHoldMs } = settings.depletion;
    return isHeldByRuntime(charges, atMs, runtimeSeconds, { runtimeHoldMs, criticalSeconds: critical });
  }
  const [ofCharge, ofRuntime] = [crossedFar('charge', charge, low), crossedFar('runtime', runtime, critical)];
  const isTogether =
    ofCharge &&
    ofRuntime &&
    charge.changedMs === runtime.changedMs &&
    (chargePercent ?? 0) > 0 &&
    (runtimeSeconds ?? 0) > 0;
  if (words.includes('LB') || isTogether) return false;
  if (name === 'LOW_BATTERY') return ofCharge && !isConfirmed(charge, value);
  return name === 'CRITICAL_RUNTIME' && ofRuntime && !isConfirmed(runtime, value);
}

function isInhibited(name: BatteryTriggerName, upsHistory: UpsHistory, nowMs: number): boolean {
  const lasts = (sinceMs: number | null, limitMs: number) => sinceMs !== null && nowMs - sinceMs < limitMs;
  if (name === 'LOW_BATTERY_FLAG') return lasts(upsHistory.calibrationLowMs, calibrationLowMs);
  return lasts(upsHistory.testMs, testLimitMs) || lasts(upsHistory.calibrationMs, calibrationLimitMs);
}
