// The model's state as the variables a driver would report. Reads the model, changes nothing.
import { version } from '../../shared/domain/version.js';
import type { UpsModel } from './ups-model.js';
import { powerFactor } from './ups-model.js';
import type { VariableStore } from './variable-store.js';

/** Temperature of a battery that works, above that of the room, in degrees. */
const batteryWarmth = 4;

/** Everything that never changes while the UPS lives. */
export function writeConstants(store: VariableStore, model: UpsModel): void {
  const { rating } = model;
  const constants: Readonly<Record<string, string>> = {
    'battery.charge.warning': '50',
    'battery.mfr.date': '2025-03-14',
    'battery.type': 'PbAc',
    'battery.voltage.nominal': rating.batteryVolts.toFixed(1),
    'device.mfr': rating.manufacturer,
    'device.model': rating.model,
    'device.serial': rating.serial,
    'device.type': 'ups',
    'driver.name': 'simulated',
    'driver.parameter.pollinterval': '2',
    'driver.parameter.port': 'auto',
    'driver.version': '2.8.0',
    'driver.version.internal': version,
    'input.frequency.nominal': String(rating.nominalHertz),
    'input.voltage.nominal': String(rating.nominalVolts),
    'output.voltage.nominal': String(rating.nominalVolts),
    'ups.firmware': rating.firmware,
    'ups.mfr': rating.manufacturer,
    'ups.model': rating.model,
    'ups.power.nominal': String(rating.apparentPowerVa),
    'ups.realpower.nominal': String(rating.realPowerWatts),
    'ups.serial': rating.serial,
    'ups.type': 'line-interactive',
  };
  for (const [name, value] of Object.entries(constants)) store.set(name, value);
}

/** Everything that may have changed since the last look. */
export function writeReadings(store: VariableStore, model: UpsModel): void {
  const { battery, output, test, transfer, surroundings } = model;
  const onLine = transfer.source === 'line' && test.running === undefined;
  const outputVolts = output.on ? transfer.outputVolts(model.inputVolts) : 0;
  const outputHertz = onLine ? surroundings.mainsHertz : model.rating.nominalHertz;
  const flow = model.discharging ? 'discharging' : model.charging ? 'charging' : 'resting';
  const watts = model.loadWatts;
  const voltAmperes = watts / powerFactor;
  const changing: Readonly<Record<string, string | undefined>> = {
    'battery.charge': battery.chargePercent.toFixed(0),
    'battery.runtime': battery.runtimeSeconds(watts).toFixed(0),
    'battery.temperature': (surroundings.temperatureCelsius + batteryWarmth).toFixed(1),
    'battery.voltage': battery.volts(flow, watts).toFixed(1),
    'input.frequency': (model.inputVolts > 0 ? surroundings.mainsHertz : 0).toFixed(1),
    'input.transfer.reason': test.running === undefined ? transfer.reason : 'battery test',
    'input.voltage': model.inputVolts.toFixed(1),
    'output.current': (outputVolts > 0 ? voltAmperes / outputVolts : 0).toFixed(2),
    'output.frequency': (output.on ? outputHertz : 0).toFixed(1),
    'output.voltage': outputVolts.toFixed(1),
    'ups.alarm': alarm(model),
    'ups.beeper.status': model.beeper,
    'ups.load': model.loadPercent.toFixed(0),
    'ups.power': voltAmperes.toFixed(0),
    'ups.realpower': watts.toFixed(0),
    'ups.status': statusWords(model),
    'ups.temperature': (surroundings.temperatureCelsius + 8).toFixed(1),
    'ups.test.result': test.result,
    'ups.timer.shutdown': timer(output.secondsToOff),
    'ups.timer.start': timer(output.secondsToOn),
  };
  for (const [name, value] of Object.entries(changing)) store.set(name, value);
  for (const [name, value] of model.settings) store.set(name, value);
}

/** Status words in the order usual drivers give them. */
function statusWords(model: UpsModel): string {
  const { test, transfer, output } = model;
  const words = [
    [alarm(model) !== undefined, 'ALARM'],
    [test.running === 'calibration', 'CAL'],
    [test.running !== undefined && test.running !== 'calibration', 'TEST'],
    [transfer.source === 'battery' || test.running !== undefined, 'OB'],
    [transfer.source === 'line' && test.running === undefined, 'OL'],
    [model.discharging, 'DISCHRG'],
    [model.charging, 'CHRG'],
    [model.batteryLow, 'LB'],
    [model.loadPercent > 100, 'OVER'],
    [test.replaceBattery, 'RB'],
    [output.on && transfer.tap === 'trim', 'TRIM'],
    [output.on && transfer.tap === 'boost', 'BOOST'],
    [model.surroundings.bypass, 'BYPASS'],
    [!output.on, 'OFF'],
  ] as const;
  return words.flatMap(([shown, word]) => (shown ? [word] : [])).join(' ');
}

function alarm(model: UpsModel): string | undefined {
  if (model.test.replaceBattery) return 'Battery worn out';
  return model.loadPercent > 100 ? 'Load too high' : undefined;
}

function timer(seconds: number | undefined): string {
  return seconds === undefined ? '-1' : Math.ceil(seconds).toString();
}
