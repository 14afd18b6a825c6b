// The metrics that have a history: their names and how the database stores them (specification/api-resources.md#history).
import type { Reading } from '../ups/reading.js';
import type { UpsRow } from './status-model.js';
import { hasNoData } from '../ups/status-words.js';
import { oneOf } from '../base/units.js';
import type * as t from 'io-ts';

/**
 * A stored value is a whole number: the quantity times `scale`, rounded. Usual values (230.12 V, 99.9 %) then take two
 * bytes; a floating-point number takes eight. The position in this list is the number of the metric in the roll-ups:
 * append, never reorder.
 */
export const metrics = [
  { name: 'charge', scale: 100 },
  { name: 'runtime', scale: 1 },
  { name: 'load', scale: 100 },
  { name: 'voltage', scale: 100 },
  { name: 'output_voltage', scale: 100 },
  { name: 'battery_voltage', scale: 100 },
  { name: 'frequency', scale: 100 },
  { name: 'output_frequency', scale: 100 },
  { name: 'temperature', scale: 100 },
  { name: 'real_power', scale: 10 },
  { name: 'depletion', scale: 1000 },
] as const;

export const MetricName = oneOf(
  'charge',
  'runtime',
  'load',
  'voltage',
  'output_voltage',
  'battery_voltage',
  'frequency',
  'output_frequency',
  'temperature',
  'real_power',
  'depletion',
);
export type MetricName = t.TypeOf<typeof MetricName>;

/** The metric's number and scale. */
export function metricOf(name: MetricName): { readonly number: number; readonly scale: number } {
  const number = metrics.findIndex((metric) => metric.name === name);
  return { number, scale: metrics[number]?.scale ?? 1 };
}

/** One value per metric, in the order of `metrics`; a missing value is null. */
export type MetricValues = readonly (number | null)[];

/**
 * The values to store of a reading and its row; null while the driver reports only WAIT. Charge and runtime are those
 * that policy accepted: a 0 on line power is missing, and such a runtime stays missing in the following outage;
 * one in doubt is missing too (specification/policy.md#values-outside-physics). The depletion rate is stored on battery only.
 */
export function metricValuesOf(reading: Reading, row: UpsRow): MetricValues | null {
  if (hasNoData(reading.status)) return null;
  const isInDoubt = (name: 'charge' | 'runtime') => row.valuesInDoubt.some(({ value }) => value === name);
  return [
    isInDoubt('charge') ? null : row.batteryCharge,
    isInDoubt('runtime') ? null : row.runtime,
    reading.loadPercent,
    reading.inputVolts,
    reading.outputVolts,
    reading.batteryVolts,
    reading.inputHertz,
    reading.outputHertz,
    reading.temperatureCelsius,
    reading.realPowerWatts,
    row.timeOnBattery > 0 ? row.depletionRate : null,
  ];
}
