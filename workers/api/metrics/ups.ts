// The metrics of each UPS, from its published row and poll statistics (specification/metrics.md#ups-metrics).
import type { Registry } from 'prom-client';
import { celsius, hertz, volts } from '../../../shared/domain/quantity.js';
import type { UpsRow } from '../../../shared/domain/status-model.js';
import { statusWords } from '../../../shared/domain/status-words.js';
import type { PublishedUps, UpsTelemetry } from '../../../shared/protocol/api.js';
import { pollSecondsBounds } from '../../../shared/protocol/api.js';
import type { Labels, Sample } from './sample.js';
import { derive, histogram, oneOfStates } from './sample.js';

/** The status words of NUT (docs/new-drivers.txt). Each always has a sample. */
const nutFlags =
  'OL OB LB HB RB CHRG DISCHRG BYPASS CAL OFF OVER TRIM BOOST FSD ALARM TEST ECO COMM WAIT'.split(' ');

type ValueOf = (row: UpsRow) => number | null;

const quantities: readonly (readonly [string, string, ValueOf])[] = [
  ['battery_charge', 'Battery charge in percent.', (row) => row.batteryCharge],
  ['runtime_seconds', 'Runtime the UPS estimates on battery, in seconds.', (row) => row.runtime],
  ['load_percent', 'Load in percent of the rated power.', (row) => row.load],
  ['real_power_watts', 'Power the load draws, in watts.', (row) => row.realPower],
  ['input_voltage', 'Input voltage in volts.', (row) => volts(row.powerQuality.inputVoltage)],
  ['output_voltage', 'Output voltage in volts.', (row) => volts(row.powerQuality.outputVoltage)],
  ['battery_voltage', 'Battery voltage in volts.', (row) => volts(row.powerQuality.batteryVoltage)],
  ['input_frequency_hz', 'Input frequency in hertz.', (row) => hertz(row.powerQuality.inputFrequency)],
  ['output_frequency_hz', 'Output frequency in hertz.', (row) => hertz(row.powerQuality.outputFrequency)],
  ['temperature_celsius', 'Temperature in degrees Celsius.', (row) => celsius(row.powerQuality.temperature)],
  [
    'nominal_voltage',
    'Nominal grid voltage, snapped to a standard one.',
    (row) => row.powerQuality.nominalVoltage,
  ],
  [
    'voltage_warning_low',
    'Input voltage below which a warning is raised.',
    (row) => row.powerQuality.warningLow,
  ],
  [
    'voltage_warning_high',
    'Input voltage above which a warning is raised.',
    (row) => row.powerQuality.warningHigh,
  ],
  ['depletion_rate_percent_per_minute', 'How fast the charge falls on battery.', (row) => row.depletionRate],
  ['time_on_battery_seconds', 'Time since the outage began; 0 on line power.', (row) => row.timeOnBattery],
  [
    'connection_failed',
    '1 while the connection to the UPS is lost.',
    (row) => Number(row.connectionState === 'FAILED'),
  ],
  [
    'trigger_active',
    '1 while a shutdown trigger is active, or advisory.',
    (row) => Number(row.triggerActive),
  ],
];

type StateOf = (row: UpsRow) => string;

const states: readonly (readonly [string, string, readonly string[], StateOf])[] = [
  [
    'voltage_state',
    'Grid quality.',
    ['NORMAL', 'LOW', 'HIGH', 'UNKNOWN'],
    (row) => row.powerQuality.voltageState,
  ],
  ['avr_state', 'Voltage regulation.', ['INACTIVE', 'BOOST', 'TRIM'], (row) => row.powerQuality.avrState],
  ['bypass_state', 'Bypass.', ['INACTIVE', 'ACTIVE'], (row) => row.powerQuality.bypassState],
  ['overload_state', 'Overload.', ['INACTIVE', 'ACTIVE'], (row) => row.powerQuality.overloadState],
];

export function registerUpsMetrics(registry: Registry, published: () => readonly PublishedUps[]): void {
  const each = (samples: (labels: Labels, row: UpsRow, telemetry: UpsTelemetry) => readonly Sample[]) => () =>
    published().flatMap(({ row, telemetry }) => samples({ ups: row.name, label: row.label }, row, telemetry));

  for (const [name, help, quantity] of quantities)
    derive(registry, {
      name: `svc_ups_${name}`,
      help,
      type: 'gauge',
      samples: each((labels, row) => [{ labels, value: quantity(row) }]),
    });
  for (const [name, help, possible, current] of states)
    derive(registry, {
      name: `svc_ups_${name}`,
      help: `${help} One sample per state, 1 for the current one.`,
      type: 'gauge',
      samples: each((labels, row) => oneOfStates(labels, 'state', possible, current(row))),
    });
  derive(registry, {
    name: 'svc_ups_status',
    help: 'Flags of ups.status: 1 while the UPS reports the flag.',
    type: 'gauge',
    samples: each((labels, row) => flags(labels, statusWords(row.status))),
  });
  derive(registry, {
    name: 'svc_ups_info',
    help: 'Identity that the UPS reports; always 1.',
    type: 'gauge',
    samples: each((labels, _row, { manufacturer, model, serial, firmware }) => [
      { labels: { ...labels, manufacturer, model, serial, firmware }, value: 1 },
    ]),
  });
  derive(registry, {
    name: 'svc_ups_last_update_timestamp_seconds',
    help: 'Unix time of the last good reading.',
    type: 'gauge',
    samples: each((labels, _row, telemetry) => [{ labels, value: telemetry.lastUpdateTime }]),
  });
  derive(registry, {
    name: 'svc_ups_polls_total',
    help: 'Polls by how they ended: OK, or the reason of the failure.',
    type: 'counter',
    samples: each((labels, _row, { pollsOk, pollsFailed }) => [
      { labels: { ...labels, result: 'OK' }, value: pollsOk },
      ...pollsFailed.map(({ detail, count }) => ({ labels: { ...labels, result: detail }, value: count })),
    ]),
  });
  derive(registry, {
    name: 'svc_ups_poll_duration_seconds',
    help: 'How long polls took.',
    type: 'histogram',
    samples: each((labels, _row, { pollSeconds }) =>
      histogram('svc_ups_poll_duration_seconds', labels, pollSecondsBounds, pollSeconds),
    ),
  });
}

/** No samples before the first reading: 0 would state that a flag is not set. */
function flags(labels: Labels, words: readonly string[]): readonly Sample[] {
  if (words.length === 0) return [];
  const unknown = words.filter((word) => !nutFlags.includes(word));
  return [...nutFlags, ...unknown].map((flag) => ({
    labels: { ...labels, flag },
    value: Number(words.includes(flag)),
  }));
}
