// The list of triggers. If several fire, the first is the reason. To add a battery trigger, add it to `onBattery`,
// `triggerKeys` and `triggerSettings`; the compiler reports a missing one.
import { criticalRuntime } from './critical-runtime.js';
import { depletion } from './depletion.js';
import { extendedTime } from './extended-time.js';
import { failsafe } from './failsafe.js';
import { fsd } from './fsd.js';
import type { Settings } from '../base/keys.js';
import { count, duration, settingsOf, word } from '../base/keys.js';
import { lowBattery } from './low-battery.js';
import { lowBatteryFlag } from './low-battery-flag.js';
import { outputOff } from './output-off.js';
import type { TriggerQuantity, Rule, Trigger } from './trigger.js';

const onBattery = [lowBattery, criticalRuntime, depletion, extendedTime, lowBatteryFlag, outputOff] as const;

/** The keys of [triggers], in display order. */
export const triggerKeys = {
  ...lowBattery.keys,
  ...criticalRuntime.keys,
  on_battery_stabilization_delay: duration(0, 3600, 30),
  confirmations: count(1, 100, 2),
  ...lowBatteryFlag.keys,
  ...outputOff.keys,
  /** Belongs to the outage, not to a trigger: a transfer switch or a technician may be at work for a minute. */
  bypass_end_delay: duration(0, 3600, 60),
  ...failsafe.keys,
  /** Belongs to the voltage band, not to a trigger. */
  voltage_sensitivity: word(['tight', 'normal', 'loose'], 'normal'),
  ...depletion.keys,
  ...extendedTime.keys,
};

/** Of one UPS or redundancy group. Units are in the names; `criticalRate` is in percent per minute. */
export type TriggerSettings = ReturnType<typeof triggerSettings>;

/** The settings of policy, by the names of its own. */
export function triggerSettings(values: Settings<typeof triggerKeys>) {
  return {
    stabilizationMs: values.onBatteryStabilizationDelayMs,
    confirmations: values.confirmations,
    voltageSensitivity: values.voltageSensitivity,
    bypassEndMs: values.bypassEndDelayMs,
    ...lowBattery.settings(values),
    ...criticalRuntime.settings(values),
    ...depletion.settings(values),
    ...extendedTime.settings(values),
    ...lowBatteryFlag.settings(values),
    ...outputOff.settings(values),
    ...failsafe.settings(values),
  };
}

export const triggers = [fsd, ...onBattery, failsafe] as const;
export type TriggerName = (typeof triggers)[number]['name'];

export type BatteryTriggerName = (typeof onBattery)[number]['name'];
export type BatteryRule = Rule<TriggerSettings> &
  Pick<Trigger<BatteryTriggerName, never, TriggerSettings>, 'name' | 'outlook'>;

/** The triggers that fire only on battery: by OB, or by what else counts as battery where their `sources` have it. */
export const batteryTriggers: readonly BatteryRule[] = onBattery;

/** Those that are on where the file says nothing of them. */
export const triggersOnByDefault = batteryTriggers.filter(({ isOn }) =>
  isOn(triggerSettings(settingsOf(triggerKeys))),
);

/** What they need of a reading. */
export const quantities: readonly TriggerQuantity[] = [
  ...new Set(batteryTriggers.flatMap(({ quantity }) => quantity ?? [])),
];

/** The limits of all that are on, in words, but for those in `without`. */
export function limitsOf(
  settings: TriggerSettings,
  without: readonly BatteryTriggerName[] = [],
): readonly string[] {
  return batteryTriggers
    .filter(({ name, isOn }) => isOn(settings) && !without.includes(name))
    .map(({ limit }) => limit(settings));
}

/** Battery triggers by name. */
export const batteryTriggerNamed = Object.fromEntries(
  onBattery.map((trigger) => [trigger.name, trigger]),
) as unknown as Readonly<Record<BatteryTriggerName, BatteryRule>>;
