// The triggers, in the order in which the first that fires is the reason. A new one stands in all three lists here; one
// that is forgotten does not compile.
import { criticalRuntime } from './critical-runtime.js';
import { depletion } from './depletion.js';
import { extendedTime } from './extended-time.js';
import { failsafe } from './failsafe.js';
import { fsd } from './fsd.js';
import type { Values } from './keys.js';
import { count, ms, seconds, word } from './keys.js';
import { lowBattery } from './low-battery.js';
import { lowBatteryFlag } from './low-battery-flag.js';
import type { Rule, Trigger } from './trigger.js';

const onBattery = [lowBattery, criticalRuntime, depletion, extendedTime, lowBatteryFlag] as const;

/** All keys of [triggers], in the order in which they are shown. */
export const triggerKeys = {
  ...lowBattery.keys,
  ...criticalRuntime.keys,
  on_battery_stabilization_delay: seconds(0, 3600, 30),
  confirmations: count(1, 100, 2),
  ...lowBatteryFlag.keys,
  ...failsafe.keys,
  /** Of the voltage band, no trigger. */
  voltage_sensitivity: word(['tight', 'normal', 'loose'], 'normal'),
  ...depletion.keys,
  ...extendedTime.keys,
};

/** Of one UPS or redundancy group. Durations in ms, rates in percent per minute. */
export type TriggerSettings = ReturnType<typeof triggerSettings>;

/** The settings of policy out of the values of the file, defaults filled in. */
export function triggerSettings(values: Values<typeof triggerKeys>) {
  return {
    stabilizationMs: ms(values.on_battery_stabilization_delay),
    confirmations: values.confirmations,
    voltageSensitivity: values.voltage_sensitivity,
    ...lowBattery.settings(values),
    ...criticalRuntime.settings(values),
    ...depletion.settings(values),
    ...extendedTime.settings(values),
    ...lowBatteryFlag.settings(values),
    ...failsafe.settings(values),
  };
}

/** Every trigger: FSD before all others, the failsafe after them. */
export const triggers = [fsd, ...onBattery, failsafe] as const;
export type TriggerName = (typeof triggers)[number]['name'];

export type BatteryTriggerName = (typeof onBattery)[number]['name'];
export type BatteryRule = Rule<TriggerSettings> &
  Pick<Trigger<BatteryTriggerName, never, TriggerSettings>, 'name' | 'outlook'>;

/** The triggers that need OB. */
export const batteryTriggers: readonly BatteryRule[] = onBattery;

/** The definition behind the name of a trigger that needs OB. */
export const batteryTriggerNamed = Object.fromEntries(
  onBattery.map((trigger) => [trigger.name, trigger]),
) as unknown as Readonly<Record<BatteryTriggerName, BatteryRule>>;
