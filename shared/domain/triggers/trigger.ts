// What a trigger is: the form that every definition in this folder fills in. A definition is data and pure functions;
// supervisor/policy counts readings, applies delays and inhibits, and fires.
import type { RemainingRuntime } from '../ups/battery/runtime-estimate.js';
import { formatNumber } from '../base/format.js';
import type { Reading, Variables } from '../ups/reading.js';
import type { HoldSettings } from './hold.js';
import { holdsOf } from './hold.js';
import type { Keys, Settings } from '../base/keys.js';

/** Settings that more than one trigger reads. */
export interface CommonSettings {
  readonly stabilizationMs: number;
  readonly confirmations: number;
  /** 0: LOW_BATTERY is off. */
  readonly lowBatteryPercent: number;
  /** 0: CRITICAL_RUNTIME is off. */
  readonly criticalRuntimeSeconds: number;
}

/** A value that a reading must have for a trigger; a UPS that never reports it has no data for the trigger. */
export interface TriggerQuantity {
  /** A noun, for explanations and the snapshot. */
  readonly name: string;
  /** The NUT variable. */
  readonly variable: string;
  readonly of: (reading: Reading, variables: Variables) => number | null;
}

export const charge: TriggerQuantity = {
  name: 'charge',
  variable: 'battery.charge',
  of: ({ chargePercent }) => chargePercent,
};
export const runtime: TriggerQuantity = {
  name: 'runtime',
  variable: 'battery.runtime',
  of: ({ runtimeSeconds }) => runtimeSeconds,
};

/** A value that came in a jump, and that the device has not confirmed yet. */
export interface Shown {
  /** How long it has been shown, and since when. */
  readonly forMs: number;
  readonly sinceMs: number;
  /** The value before it; null in the first reading. */
  readonly before: number | null;
}

export type FactsSource = 'battery' | 'unknown' | 'contradicted';

/** What one reading on battery says. Null: this reading lacks the value. */
export interface Facts {
  readonly chargePercent: number | null;
  readonly runtimeSeconds: number | null;
  /** The daemon's own, from earlier discharges. */
  readonly estimate: RemainingRuntime | null;
  /** Percent per minute. */
  readonly depletionRate: number | null;
  /** How long ago the second fall was, where the rate is that of only two and the runtime was read anew since the first. */
  readonly coarseRateMs: number | null;
  readonly onBatteryMs: number;
  /** What the battery gave, with the outages before that it has not made good. */
  readonly batteryTimeMs: number;
  /** What the reading says of the source: OB; OL and OB; or OL, which charge or voltage contradict where the charge is trusted. */
  readonly source: FactsSource;
  readonly lowBatteryFlag: boolean;
  /** How long every reading has had OFF without OB; null: this one has not. */
  readonly offMs: number | null;
  /** How long each reading has had LB. */
  readonly lowBatteryFlagMs: number;
  /** The value is in doubt; null when it is not, at the longest hold. */
  readonly chargeDoubt: Shown | null;
  readonly runtimeDoubt: Shown | null;
  readonly holdSettings: HoldSettings;
  /** The UPS asks for a new battery (RB), or its last test failed. */
  readonly isBatterySuspect: boolean;
  /** The first charge and runtime of this outage. */
  readonly atTransfer: { readonly charge: number | null; readonly runtime: number | null };
  /** All variables, as the NUT server gave them: for a quantity that is no field here. */
  readonly variables: Variables;
  /** From one reading to the next: what must last for a time is confirmed by as many readings and the first one. */
  readonly checkIntervalMs: number;
}

/** Forecast of the battery, supplied by the caller: ms from now, null for never. */
export interface Course {
  untilCharge(percent: number): number | null;
  untilRuntime(seconds: number): number | null;
  readonly depletionRate: number | null;
  readonly onBatteryMs: number;
  readonly batteryTimeMs: number;
}

/** The numbers of an explanation, with words; the margin is positive while the trigger is not met. */
export interface Measure {
  /** The quantity, by a noun. */
  readonly what: string;
  readonly threshold: number | null;
  readonly reading: number | null;
  readonly margin: number | null;
  readonly words: string;
}

/** What `validate` needs besides the settings to say when a trigger fires. */
export interface OutlookContext {
  readonly toleratedPolls: number;
  readonly duration: (seconds: number) => string;
}

/** One line of `validate`: what is looked at, and when it fires. */
export type Outlook = readonly [what: string, when: string];

/** What every trigger has. */
export interface Trigger<N extends string, K extends Keys, S> {
  /** As the API, events and the snapshot name it. */
  readonly name: N;
  /** What it looks at, in words. */
  readonly words: string;
  /** Its keys in [triggers]. */
  readonly keys: K;
  readonly settings: (values: Settings<K>) => S;
  readonly outlook: (settings: S & CommonSettings, context: OutlookContext) => Outlook;
}

/** The rule of a battery trigger: a condition on each reading on battery. */
export interface Rule<S> {
  /** For explanations and forecasts: the decision asks only `isMet`, which is false for a trigger that is off. */
  readonly isOn: (settings: S) => boolean;
  /** Whether the reading meets it; null when it lacks the value, which says nothing either way. */
  readonly isMet: (facts: Facts, settings: S) => boolean | null;
  /** How many good readings in a row must meet it. */
  readonly confirmations: (settings: S, facts: Facts) => number;
  /** How long it waits after a fresh transfer to battery. */
  readonly delayMs: (settings: S, facts: Facts) => number;
  /** How long the last reading alone keeps it waiting: until the device has confirmed what the NUT driver shows. */
  readonly doubtMs: (settings: S, facts: Facts) => number;
  /** The key of [[ups]], or of [triggers], that sets that wait. */
  readonly doubtKey: 'value_hold' | 'status_hold' | 'depletion.runtime_hold';
  /** What that delay is, for an explanation. */
  readonly delayName: (settings: S, facts: Facts) => string;
  /** What inhibits it: a self test or calibration, or only the low-battery mark at which a calibration ends. */
  readonly inhibit: 'battery test' | 'calibration at LB';
  /** Why it was met. A value that this reading lacks was in the readings that confirmed it. */
  readonly reason: (facts: Facts, settings: S) => string;
  /** Its limit, for the list of everything that would start a shutdown. */
  readonly limit: (settings: S) => string;
  readonly measure: (facts: Facts, settings: S) => Measure;
  /** Where it acts. */
  readonly sources: readonly FactsSource[];
  /** What a reading must have for it; null: the status words and the clock are enough. */
  readonly quantity: TriggerQuantity | null;
  /** Why a reading does not meet it, where `measure` does not show it; `onBatteryMs` is the current time on battery. */
  readonly unmet: (facts: Facts, settings: S, onBatteryMs: number) => string | null;
  /** Milliseconds until a reading meets it; null when it does not move towards the limit. The page has no settings. */
  readonly untilMet: (course: Course, threshold: number, settings: S | null) => number | null;
}

export interface BatteryTrigger<N extends string, K extends Keys, S>
  extends Trigger<N, K, S>, Rule<S & CommonSettings> {}

type Usual =
  | 'sources'
  | 'isOn'
  | 'confirmations'
  | 'delayMs'
  | 'doubtMs'
  | 'doubtKey'
  | 'delayName'
  | 'inhibit'
  | 'quantity'
  | 'unmet'
  | 'untilMet';

/** A definition with defaults for what it leaves out. */
export function batteryTrigger<const N extends string, K extends Keys, S>(
  own: Trigger<N, K, S> &
    Omit<Rule<S & CommonSettings>, Usual> &
    Partial<Pick<Rule<S & CommonSettings>, Usual>>,
): BatteryTrigger<N, K, S> {
  return {
    sources: ['battery'],
    isOn: () => true,
    confirmations: (settings) => settings.confirmations,
    delayMs: (settings) => settings.stabilizationMs,
    doubtMs: () => 0,
    doubtKey: 'value_hold',
    delayName: () => 'the stabilization delay',
    inhibit: 'battery test',
    quantity: null,
    unmet: () => null,
    untilMet: () => null,
    ...own,
  };
}

export function trigger<const N extends string, K extends Keys, S>(own: Trigger<N, K, S>): Trigger<N, K, S> {
  return own;
}

/** The measure of a quantity that fires below its threshold. */
export function below(what: string, reading: number | null, threshold: number, unit: string): Measure {
  return measureOf(what, 'below', reading, threshold, unit, (value) => value - threshold);
}

/** The measure of a quantity that fires above its threshold. */
export function above(what: string, reading: number | null, threshold: number, unit: string): Measure {
  return measureOf(what, 'above', reading, threshold, unit, (value) => threshold - value);
}

function measureOf(
  what: string,
  side: 'below' | 'above',
  reading: number | null,
  threshold: number,
  unit: string,
  margin: (value: number) => number,
): Measure {
  const shown = reading === null ? 'unknown' : `${formatNumber(reading)} ${unit}`;
  const words = `${what} ${shown}, it fires ${side} ${formatNumber(threshold)} ${unit}`;
  return { what, threshold, reading, margin: reading === null ? null : margin(reading), words };
}

/**
 * How long a value below `threshold` still waits: until it was shown for longer than the hold. A load or a voltage that moves
 * confirms nothing, because the driver reads it at another time.
 */
export function doubtLeftMs(
  quantity: 'charge' | 'runtime',
  threshold: number,
  settings: CommonSettings,
  facts: Facts,
): number {
  const doubt = quantity === 'charge' ? facts.chargeDoubt : facts.runtimeDoubt;
  if (facts.lowBatteryFlag || !hasFallenBelow(doubt, threshold) || fellTogether(settings, facts)) return 0;
  const { valueMs } = holdsOf(facts.variables, facts.holdSettings, settings.criticalRuntimeSeconds);
  return valueMs === 0 || doubt.forMs > valueMs ? 0 : valueMs - doubt.forMs + 1;
}

/** Charge and runtime fell below their thresholds in one reading. Drivers show 0 for both when a read fails. */
function fellTogether(settings: CommonSettings, facts: Facts): boolean {
  const { chargePercent: charge, runtimeSeconds: runtime, chargeDoubt, runtimeDoubt } = facts;
  if (charge === null || runtime === null || charge === 0 || runtime === 0) return false;
  if (chargeDoubt === null || chargeDoubt.sinceMs !== runtimeDoubt?.sinceMs) return false;
  const { lowBatteryPercent, criticalRuntimeSeconds } = settings;
  if (charge >= lowBatteryPercent || runtime >= criticalRuntimeSeconds) return false;
  return (
    hasFallenBelow(chargeDoubt, lowBatteryPercent) && hasFallenBelow(runtimeDoubt, criticalRuntimeSeconds)
  );
}

/** With this jump; a value that was below the threshold before it has been confirmed by the jump. */
function hasFallenBelow(doubt: Shown | null, threshold: number): doubt is Shown {
  return doubt !== null && (doubt.before === null || doubt.before >= threshold);
}

/** A quantity in a reason. */
export function read(value: number | null, unit: string): string {
  return value === null ? '(as last read)' : `${formatNumber(value)} ${unit},`;
}
