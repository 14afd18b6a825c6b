// LOW_BATTERY_FLAG: LB, the UPS's own verdict.
import { holdsOf } from './hold.js';
import { duration, onOff } from '../base/keys.js';
import { volts } from '../ups/quantity.js';
import type { CommonSettings, Facts } from './trigger.js';
import { batteryTrigger } from './trigger.js';

/** LB waits only as long as a UPS needs to settle after a transfer. */
const maxDelayMs = 5_000;
/** Nor does it wait longer for the driver to read the status again. */
const maxHoldMs = 5_000;

export const lowBatteryFlag = batteryTrigger({
  name: 'LOW_BATTERY_FLAG',
  words: 'low-battery flag',
  keys: { trigger_on_low_battery_flag: onOff(true), low_battery_flag_delay: duration(0, 300, 15) },
  settings: (keys) => ({
    lowBatteryFlag: keys.triggerOnLowBatteryFlag,
    lowBatteryFlagDelayMs: keys.lowBatteryFlagDelayMs,
  }),
  sources: ['battery', 'unknown'],
  isOn: (settings) => settings.lowBatteryFlag,
  isMet: (facts, settings) => settings.lowBatteryFlag && facts.lowBatteryFlag,
  delayMs: (settings, facts) =>
    isFlagContradicted(facts, settings) ? contradictedDelayMs(settings) : usualDelayMs(settings),
  delayName: (settings, facts) =>
    isFlagContradicted(facts, settings)
      ? 'low_battery_flag_delay, since charge and runtime contradict LB'
      : 'the stabilization delay',
  doubtKey: 'status_hold',
  doubtMs: (settings, facts) => {
    // A small UPS has a runtime below twice the threshold on line power already.
    if (isLow(facts, settings, 1)) return 0;
    const { statusMs } = holdsOf(facts.variables, facts.holdSettings, settings.criticalRuntimeSeconds);
    const holdMs = Math.min(statusMs, maxHoldMs);
    return holdMs === 0 || facts.lowBatteryFlagMs > holdMs ? 0 : holdMs - facts.lowBatteryFlagMs + 1;
  },
  inhibit: 'calibration at LB',
  reason: () => 'the UPS reports a low battery (LB)',
  limit: () => 'the LB flag',
  measure: ({ lowBatteryFlag: isShown }) => ({
    what: 'LB',
    threshold: null,
    reading: isShown ? 1 : 0,
    margin: null,
    words: isShown ? 'LB is shown' : 'no LB',
  }),
  outlook: (settings, { duration }) => {
    const { lowBatteryFlag, stabilizationMs } = settings;
    const contradictedMs = contradictedDelayMs(settings);
    const waits = [
      ...(stabilizationMs > maxDelayMs ? ['5 s at most'] : []),
      ...(contradictedMs > usualDelayMs(settings)
        ? [`${duration(contradictedMs / 1000)} where charge and runtime contradict it`]
        : []),
    ];
    const flag = waits.length === 0 ? 'LB' : `LB; waits ${waits.join(', ')}`;
    return ['low-battery flag', lowBatteryFlag ? flag : 'ignored'];
  },
});

const usualDelayMs = ({ stabilizationMs }: Pick<CommonSettings, 'stabilizationMs'>): number =>
  Math.min(stabilizationMs, maxDelayMs);

/** From the transfer until LB counts although charge and runtime contradict it. */
export const contradictedDelayMs = (
  settings: Pick<CommonSettings, 'stabilizationMs'> & { readonly lowBatteryFlagDelayMs: number },
): number => Math.max(usualDelayMs(settings), settings.lowBatteryFlagDelayMs);

/** Some devices show LB in the first seconds of every outage. A worn battery that collapses shows LB then too. */
const highShare = 2;
const fallenShare = 0.9;

/**
 * LB that charge and runtime contradict: both are reported and far above their thresholds, nothing has fallen by a tenth since
 * the transfer, the voltage is not below nominal, and nothing else speaks against the battery.
 */
export function isFlagContradicted(facts: Facts, settings: CommonSettings): boolean {
  const { chargePercent: charge, runtimeSeconds: runtime, atTransfer, variables } = facts;
  const { lowBatteryPercent, criticalRuntimeSeconds } = settings;
  if (!facts.lowBatteryFlag || facts.isBatterySuspect || charge === null || runtime === null) return false;
  if (lowBatteryPercent <= 0 || criticalRuntimeSeconds <= 0) return false;
  const hasFallen = isTenthBelow(charge, atTransfer.charge) || isTenthBelow(runtime, atTransfer.runtime);
  return !isLow(facts, settings) && !hasFallen && !isBelowNominal(variables);
}

/** Charge or runtime are no more than so many times their threshold. */
function isLow(
  { chargePercent, runtimeSeconds }: Facts,
  settings: CommonSettings,
  share = highShare,
): boolean {
  const isNear = (value: number | null, threshold: number) => value !== null && value <= share * threshold;
  return (
    isNear(chargePercent, settings.lowBatteryPercent) ||
    isNear(runtimeSeconds, settings.criticalRuntimeSeconds)
  );
}

const isTenthBelow = (now: number, first: number | null): boolean =>
  first !== null && now <= first * fallenShare;

/** No battery carries a load below this share of its nominal voltage: such a value is that of a cell, or of another pack. */
const leastVoltsShare = 0.7;

/** By its voltage a battery may well be empty. */
export function isBelowNominal(variables: Facts['variables']): boolean {
  const now = volts(variables['battery.voltage']);
  const nominal = volts(variables['battery.voltage.nominal']);
  return now !== null && nominal !== null && now < nominal && now >= nominal * leastVoltsShare;
}
