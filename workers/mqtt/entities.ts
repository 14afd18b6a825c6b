// The entities of a UPS in Home Assistant: name, class, and the field of the row.
import { numberOf } from '../../shared/domain/ups/quantity.js';
import type { MqttUps } from '../../shared/protocol/mqtt.js';

export interface Entity {
  readonly component: 'sensor' | 'binary_sensor';
  readonly id: string;
  readonly name: string;
  /** Whether it has a value now. */
  readonly present: (ups: MqttUps) => boolean;
  /** The template of its state, from the expression of the row; of energy from the groupId. */
  readonly template: (row: string) => string;
  readonly more: Readonly<Record<string, string>>;
  /** Its value is in the retained energy message, which is not repeated. */
  readonly isEnergy?: true;
  /** The daemon knows it also while the connection to the UPS is lost. */
  readonly isOfDaemon?: true;
}

const always = (): boolean => true;

type UpsQuantity = 'batteryCharge' | 'runtime' | 'load' | 'realPower' | 'depletionRate' | 'timeOnBattery';
type PhaseQuantity = 'inputVoltage' | 'outputVoltage' | 'load' | 'realPower';
type RawQuantity = `${'input' | 'output'}${'Voltage' | 'Frequency'}` | 'batteryVoltage' | 'temperature';

/** A measured number. `deviceClass` "" where Home Assistant has none. */
function measurement(deviceClass: string, unit: string): Readonly<Record<string, string>> {
  return {
    unit_of_measurement: unit,
    state_class: 'measurement',
    ...(deviceClass === '' ? {} : { device_class: deviceClass }),
  };
}

function quantity(key: UpsQuantity, id: string, name: string, more: Entity['more']): Entity {
  return {
    component: 'sensor',
    id,
    name,
    present: ({ row }) => row[key] !== null,
    template: (row) => `{{ ${row}.get('${key}') }}`,
    more,
  };
}

/**
 * A reading that the row has as the text of the driver. Home Assistant treats none as unknown; where it expects a number, any other
 * text leaves the last one standing.
 */
function raw(key: RawQuantity, id: string, name: string, more: Entity['more']): Entity {
  return {
    component: 'sensor',
    id,
    name,
    present: ({ row: { powerQuality } }) => numberOf(powerQuality[key]) !== null,
    // "nan" and "inf" are numbers there.
    template: (row) =>
      `{% set n = ${row}.get('powerQuality', {}).get('${key}') | float(none) %}{{ n if n is number and n - n == 0 else none }}`,
    more,
  };
}

function text(id: string, name: string, key: string, more: Entity['more']): Entity {
  return {
    component: 'sensor',
    id,
    name,
    present: always,
    template: (row) => `{{ ${row}.get('${key}') }}`,
    more,
  };
}

function yesOrNo(id: string, name: string, deviceClass: string, condition: (row: string) => string): Entity {
  return {
    component: 'binary_sensor',
    id,
    name,
    present: always,
    // Without a status it is unknown, neither ON nor OFF.
    template: (row) => `{{ ('ON' if ${condition(row)} else 'OFF') if ${row}.get('status') else none }}`,
    more: { device_class: deviceClass },
  };
}

/** One for each phase that shows the value. */
function ofPhases(key: PhaseQuantity, id: string, name: string, more: Entity['more']): readonly Entity[] {
  return ['L1', 'L2', 'L3'].map((phase) => ({
    component: 'sensor',
    id: `${id}_${phase.toLowerCase()}`,
    name: `${name} ${phase}`,
    present: ({ row }) => row.phases.some((one) => one.phase === phase && one[key] !== null),
    template: (row) =>
      `{{ (${row}.get('phases', []) | selectattr('phase', 'eq', '${phase}') | list | first | default({})).get('${key}') }}`,
    more,
  }));
}

const hasWord =
  (word: string) =>
  (row: string): string =>
    `'${word}' in ${row}.get('status', '').split()`;

const diagnostic = { entity_category: 'diagnostic' } as const;

export const entities: readonly Entity[] = [
  text('status', 'Status', 'status', { icon: 'mdi:power-plug-battery' }),
  quantity('batteryCharge', 'battery_charge', 'Battery charge', measurement('battery', '%')),
  quantity('runtime', 'runtime', 'Runtime', measurement('duration', 's')),
  quantity('load', 'load', 'Load', measurement('', '%')),
  quantity('realPower', 'real_power', 'Real power', measurement('power', 'W')),
  {
    component: 'sensor',
    id: 'energy',
    name: 'Energy',
    present: ({ totalKwh }) => totalKwh !== null,
    template: (groupId) => `{{ value_json.get('${groupId}') }}`,
    more: { device_class: 'energy', state_class: 'total_increasing', unit_of_measurement: 'kWh' },
    isEnergy: true,
  },
  {
    component: 'sensor',
    id: 'battery_health',
    name: 'Battery health',
    present: ({ row }) => row.batteryHealth !== null && row.batteryHealth.score !== null,
    template: (row) => `{{ (${row}.get('batteryHealth') or {}).get('score') }}`,
    more: measurement('', '%'),
    isOfDaemon: true,
  },
  raw('inputVoltage', 'input_voltage', 'Input voltage', measurement('voltage', 'V')),
  raw('outputVoltage', 'output_voltage', 'Output voltage', measurement('voltage', 'V')),
  raw('batteryVoltage', 'battery_voltage', 'Battery voltage', measurement('voltage', 'V')),
  raw('inputFrequency', 'input_frequency', 'Input frequency', measurement('frequency', 'Hz')),
  raw('outputFrequency', 'output_frequency', 'Output frequency', measurement('frequency', 'Hz')),
  raw('temperature', 'temperature', 'Temperature', measurement('temperature', '°C')),
  ...ofPhases('inputVoltage', 'input_voltage', 'Input voltage', measurement('voltage', 'V')),
  ...ofPhases('outputVoltage', 'output_voltage', 'Output voltage', measurement('voltage', 'V')),
  ...ofPhases('load', 'load', 'Load', measurement('', '%')),
  ...ofPhases('realPower', 'real_power', 'Real power', measurement('power', 'W')),
  {
    ...yesOrNo(
      'phase_lost',
      'Phase lost',
      'problem',
      (row) => `${row}.get('phases', []) | selectattr('lost') | list`,
    ),
    present: ({ row }) => row.phases.length > 1,
  },
  quantity('timeOnBattery', 'time_on_battery', 'Time on battery', measurement('duration', 's')),
  { ...text('connection', 'Connection', 'connectionState', diagnostic), isOfDaemon: true },
  yesOrNo('on_battery', 'On battery', 'problem', hasWord('OB')),
  yesOrNo('low_battery', 'Low battery', 'battery', hasWord('LB')),
  yesOrNo('replace_battery', 'Replace battery', 'problem', hasWord('RB')),
  yesOrNo('overload', 'Overload', 'problem', hasWord('OVER')),
  {
    ...yesOrNo('shutdown_trigger', 'Shutdown trigger', 'problem', (row) => `${row}.triggerActive`),
    isOfDaemon: true,
  },
];
