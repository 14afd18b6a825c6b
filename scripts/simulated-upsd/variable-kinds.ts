// The variables of a simulated UPS: description and allowed values. The values themselves are in the model.

export interface VariableKind {
  readonly description: string;
  readonly writable?: true;
  /** A string of at most this many characters; without it NUT reports the type NUMBER. */
  readonly maxLength?: number;
  readonly values?: readonly string[];
  readonly range?: { readonly min: number; readonly max: number };
}

const readOnly = (description: string): VariableKind => ({ description });

export const variableKinds: Readonly<Record<string, VariableKind>> = {
  'battery.charge': readOnly('Battery charge (percent of full)'),
  'battery.charge.low': {
    description: 'Remaining battery level when UPS switches to LB (percent)',
    writable: true,
    range: { min: 5, max: 60 },
  },
  'battery.charge.warning': readOnly('Battery level when UPS switches to Warning state (percent)'),
  'battery.date': { description: 'Battery change date', writable: true, maxLength: 10 },
  'battery.mfr.date': readOnly('Battery manufacturing date'),
  'battery.runtime': readOnly('Battery runtime (seconds)'),
  'battery.runtime.low': {
    description: 'Remaining battery runtime when UPS switches to LB (seconds)',
    writable: true,
    range: { min: 30, max: 3600 },
  },
  'battery.temperature': readOnly('Battery temperature (degrees C)'),
  'battery.type': readOnly('Battery chemistry'),
  'battery.voltage': readOnly('Battery voltage (V)'),
  'battery.voltage.nominal': readOnly('Nominal battery voltage (V)'),
  'device.mfr': readOnly('Device manufacturer'),
  'device.model': readOnly('Device model'),
  'device.serial': readOnly('Device serial number'),
  'device.type': readOnly('Device type'),
  'driver.name': readOnly('Driver name'),
  'driver.parameter.pollinterval': readOnly('Driver poll interval (seconds)'),
  'driver.parameter.port': readOnly('Driver port'),
  'driver.version': readOnly('Driver version'),
  'driver.version.internal': readOnly('Internal driver version'),
  'input.frequency': readOnly('Input line frequency (Hz)'),
  'input.frequency.nominal': readOnly('Nominal input line frequency (Hz)'),
  'input.sensitivity': {
    description: 'Input power sensitivity',
    writable: true,
    maxLength: 10,
    values: ['low', 'medium', 'high'],
  },
  'input.transfer.high': {
    description: 'High voltage transfer point (V)',
    writable: true,
    range: { min: 255, max: 300 },
  },
  'input.transfer.low': {
    description: 'Low voltage transfer point (V)',
    writable: true,
    range: { min: 160, max: 200 },
  },
  'input.transfer.reason': readOnly('Reason for last transfer to battery'),
  'input.voltage': readOnly('Input voltage (V)'),
  'input.voltage.nominal': readOnly('Nominal input voltage (V)'),
  'output.current': readOnly('Output current (A)'),
  'output.frequency': readOnly('Output frequency (Hz)'),
  'output.voltage': readOnly('Output voltage (V)'),
  'output.voltage.nominal': readOnly('Nominal output voltage (V)'),
  'ups.alarm': readOnly('UPS alarms'),
  'ups.beeper.status': readOnly('UPS beeper status'),
  'ups.delay.shutdown': {
    description: 'Interval to wait after shutdown with delay command (seconds)',
    writable: true,
    range: { min: 10, max: 600 },
  },
  'ups.delay.start': {
    description: 'Interval to wait before (re)starting the load (seconds)',
    writable: true,
    range: { min: 0, max: 600 },
  },
  'ups.firmware': readOnly('UPS firmware'),
  'ups.id': { description: 'UPS system identifier', writable: true, maxLength: 16 },
  'ups.load': readOnly('Load on UPS (percent of full)'),
  'ups.mfr': readOnly('UPS manufacturer'),
  'ups.model': readOnly('UPS model'),
  'ups.power': readOnly('UPS apparent power (VA)'),
  'ups.power.nominal': readOnly('UPS power rating (VA)'),
  'ups.realpower': readOnly('UPS real power (W)'),
  'ups.realpower.nominal': readOnly('UPS real power rating (W)'),
  'ups.serial': readOnly('UPS serial number'),
  'ups.status': readOnly('UPS status'),
  'ups.temperature': readOnly('UPS temperature (degrees C)'),
  'ups.test.result': readOnly('Results of last self test'),
  'ups.timer.shutdown': readOnly('Time before the load will be shutdown (seconds)'),
  'ups.timer.start': readOnly('Time before the load will be started (seconds)'),
  'ups.type': readOnly('UPS type'),
};

/** Factory settings of the writable variables. */
export const factorySettings: Readonly<Record<string, string>> = {
  'battery.charge.low': '10',
  'battery.date': '2025-04-01',
  'battery.runtime.low': '120',
  'input.sensitivity': 'medium',
  'input.transfer.high': '280',
  'input.transfer.low': '170',
  'ups.delay.shutdown': '20',
  'ups.delay.start': '30',
  'ups.id': 'simulated',
};
