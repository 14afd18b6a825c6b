// The variables of a simulated UPS: description and allowed values. The values themselves are in the model.

export interface VariableKind {
  readonly description: string;
  readonly writable?: true;
  /** A string of at most this many characters; without it NUT reports the type NUMBER. */
  readonly maxLength?: number;
  readonly values?: readonly string[];
  readonly range?: { readonly min: number; readonly max: number };
}

const told = (description: string): VariableKind => ({ description });

export const variableKinds: Readonly<Record<string, VariableKind>> = {
  'battery.charge': told('Charge left in the battery (percent)'),
  'battery.charge.low': {
    description: 'Charge below which the battery counts as low (percent)',
    writable: true,
    range: { min: 5, max: 60 },
  },
  'battery.charge.warning': told('Charge below which the UPS warns (percent)'),
  'battery.date': { description: 'Day the battery was put in', writable: true, maxLength: 10 },
  'battery.mfr.date': told('Day the battery was made'),
  'battery.runtime': told('Time the battery can carry the load (seconds)'),
  'battery.runtime.low': {
    description: 'Run time below which the battery counts as low (seconds)',
    writable: true,
    range: { min: 30, max: 3600 },
  },
  'battery.temperature': told('Battery temperature (degrees C)'),
  'battery.type': told('Kind of battery'),
  'battery.voltage': told('Voltage at the battery (V)'),
  'battery.voltage.nominal': told('Rated battery voltage (V)'),
  'device.mfr': told('Maker of the device'),
  'device.model': told('Model of the device'),
  'device.serial': told('Serial number of the device'),
  'device.type': told('What the device is'),
  'driver.name': told('Driver in use'),
  'driver.parameter.pollinterval': told('Time between two looks of the driver (seconds)'),
  'driver.parameter.port': told('Port the driver talks to'),
  'driver.version': told('Release of the driver'),
  'driver.version.internal': told('Inner version of the driver'),
  'input.frequency': told('Frequency of the line (Hz)'),
  'input.frequency.nominal': told('Rated frequency of the line (Hz)'),
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
  'input.transfer.reason': told('Why the battery took over last'),
  'input.voltage': told('Voltage of the line (V)'),
  'input.voltage.nominal': told('Rated voltage of the line (V)'),
  'output.current': told('Current drawn by the load (A)'),
  'output.frequency': told('Frequency at the load (Hz)'),
  'output.voltage': told('Voltage at the load (V)'),
  'output.voltage.nominal': told('Rated voltage at the load (V)'),
  'ups.alarm': told('What the UPS is alarmed about'),
  'ups.beeper.status': told('Whether the beeper may sound'),
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
  'ups.firmware': told('Firmware of the UPS'),
  'ups.id': { description: 'Name given to the UPS by its owner', writable: true, maxLength: 16 },
  'ups.load': told('Share of the rated power in use (percent)'),
  'ups.mfr': told('Maker of the UPS'),
  'ups.model': told('Model of the UPS'),
  'ups.power': told('Apparent power of the load (VA)'),
  'ups.power.nominal': told('Rated apparent power (VA)'),
  'ups.realpower': told('Real power of the load (W)'),
  'ups.realpower.nominal': told('Rated real power (W)'),
  'ups.serial': told('Serial number of the UPS'),
  'ups.status': told('State of the UPS in status words'),
  'ups.temperature': told('Temperature inside the UPS (degrees C)'),
  'ups.test.result': told('Outcome of the last battery test'),
  'ups.timer.shutdown': told('Time left until output ends (seconds, -1 for never)'),
  'ups.timer.start': told('Time left until output returns (seconds, -1 for never)'),
  'ups.type': told('Topology of the UPS'),
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
