// The drawing of each metric of the history: its unit, its scale, its colour.
import type { MetricName } from '../../shared/domain/status/metrics.js';
import { durationInWords } from '../../shared/domain/base/duration.js';

export interface MetricKind {
  readonly metric: MetricName;
  readonly title: string;
  readonly colour: string;
  /** Ends of the scale that are always shown. */
  readonly scaleMin?: number;
  readonly scaleMax?: number;
  /** The least room above and below the values, so that small noise stays small. */
  readonly room: number;
  /** Values below this fraction of the highest one do not extend the scale: the 0 V of an outage. */
  readonly floorPart?: number;
  /** The distances of the ticks, where decimal ones do not suit the unit. */
  readonly increments?: readonly number[];
  readonly words: (value: number) => string;
  /** Short, for the axis. */
  readonly mark: (value: number) => string;
}

function inUnit(unit: string, digits: number): Pick<MetricKind, 'words' | 'mark'> {
  return {
    words: (value) => `${value.toFixed(digits)}\u00a0${unit}`,
    mark: (value) => `${String(Number(value.toFixed(2)))}${unit === '%' ? '\u00a0%' : ''}`,
  };
}

const minutes: Pick<MetricKind, 'words' | 'mark' | 'increments'> = {
  increments: [60, 300, 600, 900, 1800, 3600, 7200, 14_400, 36_000, 72_000],
  words: durationInWords,
  mark: (value) =>
    value >= 7200 ? `${(value / 3600).toFixed(1)} h` : `${String(Math.round(value / 60))} min`,
};

export const metricKinds: readonly MetricKind[] = [
  {
    metric: 'charge',
    title: 'Charge',
    colour: '--chart-charge',
    scaleMin: 0,
    scaleMax: 100,
    room: 1,
    ...inUnit('%', 0),
  },
  { metric: 'load', title: 'Load', colour: '--chart-load', scaleMin: 0, room: 5, ...inUnit('%', 0) },
  {
    metric: 'voltage',
    title: 'Input voltage, V',
    colour: '--chart-volts',
    room: 4,
    floorPart: 0.5,
    ...inUnit('V', 1),
  },
  { metric: 'runtime', title: 'Runtime', colour: '--chart-runtime', scaleMin: 0, room: 60, ...minutes },
  {
    metric: 'real_power',
    title: 'Power, W',
    colour: '--chart-load',
    scaleMin: 0,
    room: 10,
    ...inUnit('W', 0),
  },
  { metric: 'temperature', title: 'Temperature, °C', colour: '--chart-heat', room: 2, ...inUnit('°C', 1) },
  {
    metric: 'output_voltage',
    title: 'Output voltage, V',
    colour: '--chart-volts',
    room: 4,
    floorPart: 0.5,
    ...inUnit('V', 1),
  },
  {
    metric: 'battery_voltage',
    title: 'Battery voltage, V',
    colour: '--chart-charge',
    room: 0.5,
    ...inUnit('V', 1),
  },
  {
    metric: 'frequency',
    title: 'Input frequency, Hz',
    colour: '--chart-volts',
    room: 0.5,
    ...inUnit('Hz', 1),
  },
  {
    metric: 'depletion',
    title: 'Depletion, %/min',
    colour: '--chart-heat',
    scaleMin: 0,
    room: 1,
    ...inUnit('%/min', 1),
  },
];
