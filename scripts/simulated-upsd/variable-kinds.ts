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
  'battery.charge': readOnly('Charge left in the battery (percent)'),
  'battery.charge.low': {
    description: 'Charge below which the battery counts as low (percent)',
    writable: true,
    range: { min: 5, max: 60 },
  },
  'battery.charge.warning': readOnly('Charge below which the UPS warns (percent)'),
  'battery.date': { description: 'Day the battery was put in', writable: true, maxLength: 10 },
  'battery.mfr.date': readOnly('Day the battery was made'),
  'battery.runtime': readOnly('Time the battery can carry the load (seconds)'),
  'battery.runtime.low': {
    description: 'Run time below which the battery counts as low (seconds)',
    writable: true,
    range: { min: 30, max: 3600 },
  },
  'battery.temperature': readOnly('Battery temperature (degrees C)'),
  'battery.type': readOnly('Kind of battery'),
  'battery.voltage': readOnly('Voltage at the battery (V)'),
  'battery.voltage.nominal': readOnly('Rated battery voltage (V)'),
  'device.mfr': readOnly('Maker of the device'),
  'device.model': readOnly('Model of the device'),
  'device.serial': readOnly('Serial number of the device'),
  'device.type': readOnly('What the device is'),
  'driver.name': readOnly('Driver in use'),
  'driver.parameter.pollinterval': readOnly('Time between two looks of the driver (seconds)'),
  'driver.parameter.port': readOnly('Port the driver talks to'),
  'driver.version': readOnly('Release of the driver'),
  'driver.version.internal': readOnly('Inner version of the driver'),
  'input.frequency': readOnly('Frequency of the line (Hz)'),
  'input.frequency.nominal': readOnly('Rated frequency of the line (Hz)'),
  'input.sensitivity': {
    description: 'How quickly the UPS mistrusts the line',
    writable: true,
    maxLength: 10,
    values: ['low', 'medium', 'high'],
  },
  'input.transfer.high': {
    description: 'Line voltage above which the battery takes over (V)',
    writable: true,
    range: { min: 255, max: 300 },
  },
  'input.transfer.low': {
    description: 'Line voltage below which the battery takes over (V)',
    writable: true,
    range: { min: 160, max: 200 },
  },
  'input.transfer.reason': readOnly('Why the battery took over last'),
  'input.voltage': readOnly('Voltage of the line (V)'),
  'input.voltage.nominal': readOnly('Rated voltage of the line (V)'),
  'output.current': readOnly('Current drawn by the load (A)'),
  'output.frequency': readOnly('Frequency at the load (Hz)'),
  'output.voltage': readOnly('Voltage at the load (V)'),
  'output.voltage.nominal': readOnly('Rated voltage at the load (V)'),
  'ups.alarm': readOnly('What the UPS is alarmed about'),
  'ups.beeper.status': readOnly('Whether the beeper may sound'),
  'ups.delay.shutdown': {
    description: 'Wait between a shutdown command and the end of output (seconds)',
    writable: true,
    range: { min: 10, max: 600 },
  },
  'ups.delay.start': {
    description: 'Wait between the return of the line and the return of output (seconds)',
    writable: true,
    range: { min: 0, max: 600 },
  },
  'ups.firmware': readOnly('Firmware of the UPS'),
  'ups.id': { description: 'Name given to the UPS by its owner', writable: true, maxLength: 16 },
  'ups.load': readOnly('Share of the rated power in use (percent)'),
  'ups.mfr': readOnly('Maker of the UPS'),
  'ups.model': readOnly('Model of the UPS'),
  'ups.power': readOnly('Apparent power of the load (VA)'),
  'ups.power.nominal': readOnly('Rated apparent power (VA)'),
  'ups.realpower': readOnly('Real power of the load (W)'),
  'ups.realpower.nominal': readOnly('Rated real power (W)'),
  'ups.serial': readOnly('Serial number of the UPS'),
  'ups.status': readOnly('State of the UPS in status words'),
  'ups.temperature': readOnly('Temperature inside the UPS (degrees C)'),
  'ups.test.result': readOnly('Outcome of the last battery test'),
  'ups.timer.shutdown': readOnly('Time left until output ends (seconds, -1 for never)'),
  'ups.timer.start': readOnly('Time left until output returns (seconds, -1 for never)'),
  'ups.type': readOnly('Topology of the UPS'),
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
