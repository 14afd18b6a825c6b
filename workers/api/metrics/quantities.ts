// The values of a row that are gauges of a UPS: suffix of the name, help, value.
import { celsius, hertz, volts } from '../../../shared/domain/ups/quantity.js';
import type { PhaseRow, UpsRow } from '../../../shared/domain/status/status-model.js';

export type PhaseMetric = readonly [
  suffix: string,
  help: string,
  valueOf: (phase: PhaseRow) => number | null,
];
type ValueOf = (row: UpsRow) => number | null;
type UpsMetric = readonly [suffix: string, help: string, valueOf: ValueOf];

const measurements: readonly UpsMetric[] = [
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
  ['depletion_rate_percent_per_minute', 'How fast the charge falls on battery.', (row) => row.depletionRate],
];

/** Names of their own: a sum over the phases must not count the whole UPS again. */
export const phaseQuantities: readonly PhaseMetric[] = [
  ['phase_input_voltage', 'Input voltage of the phase in volts.', (phase) => phase.inputVoltage],
  ['phase_output_voltage', 'Output voltage of the phase in volts.', (phase) => phase.outputVoltage],
  ['phase_load_percent', 'Load of the phase in percent of its rated power.', (phase) => phase.load],
  [
    'phase_real_power_watts',
    'Power that the load draws from the phase, in watts.',
    (phase) => phase.realPower,
  ],
  ['phase_lost', '1 while the input of the phase has no voltage.', (phase) => Number(phase.lost)],
];

/** While the connection is lost the row has the measurements of before: they are as missing as a reading that never was. */
const current = ([suffix, help, valueOf]: UpsMetric): UpsMetric => [
  suffix,
  help,
  (row) => (row.connectionState === 'FAILED' ? null : valueOf(row)),
];

export const quantities: readonly UpsMetric[] = [
  ...measurements.map(current),
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
