// The physics of a UPS as a device: reports the state of the model as NUT variables, passes commands to the model.
import { version } from '../../shared/domain/base/version.js';
import type { Device } from './device.js';
import { instantCommands, runInstantCommand } from './instant-commands.js';
import type { StartCounts } from './output.js';
import type { Rating } from './rating.js';
import type { TrackingResult } from './tracking.js';
import type { BatteryChange, Surroundings } from './ups-model.js';
import { powerFactor, UpsModel } from './ups-model.js';
import { variableKinds } from './variable-kinds.js';

/** Temperatures of the battery and of the electronics above room temperature, in °C. */
const batteryWarmth = 4;
const electronicsWarmth = 8;

/** NUT's drivers count `ups.delay.start` from different moments. */
const startCounts = {
  simulated: 'mains',
  apcsmart: 'mains',
  'snmp-ups': 'mains',
  nutdrv_qx: 'cut',
  'usbhid-ups': 'command',
} as const satisfies Record<string, StartCounts>;
export type SimulatedDriver = keyof typeof startCounts;

export class ModelDevice implements Device {
  readonly kinds = variableKinds;
  readonly commands = instantCommands;
  readonly #model: UpsModel;
  readonly #plate: Readonly<Record<string, string>>;

  /** The same seed gives the same readings; with noise 0 they are constant on a steady line. */
  constructor(rating: Rating, seed: number, noise: 0 | 1, driver: SimulatedDriver = 'simulated') {
    this.#model = new UpsModel(rating, seed, noise, startCounts[driver]);
    this.#plate = { ...plateOf(rating), 'driver.name': driver };
  }

  report(): Readonly<Record<string, string | undefined>> {
    return { ...this.#plate, ...readingsOf(this.#model), ...Object.fromEntries(this.#model.settings) };
  }

  step(): void {
    this.#model.step();
  }

  change(world: Partial<Surroundings>, battery: BatteryChange): void {
    this.#model.change(world, battery);
  }

  command(name: string, parameter: string | undefined): TrackingResult {
    return runInstantCommand(this.#model, name, parameter);
  }

  write(name: string, value: string): void {
    this.#model.settings.set(name, value);
  }
}

/** The constant variables. */
function plateOf(rating: Rating): Readonly<Record<string, string>> {
  return {
    'battery.charge.warning': '50',
    'battery.mfr.date': '2025-03-14',
    'battery.type': 'PbAc',
    'battery.voltage.nominal': rating.batteryVolts.toFixed(1),
    'device.mfr': rating.manufacturer,
    'device.model': rating.model,
    'device.serial': rating.serial,
    'device.type': 'ups',
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
}

/** The changing variables. */
function readingsOf(model: UpsModel): Readonly<Record<string, string | undefined>> {
  const { battery, output, test, transfer, surroundings } = model;
  const onLine = transfer.source === 'line' && test.running === undefined;
  const outputVolts = output.on ? transfer.outputVolts(model.inputVolts) : 0;
  const outputHertz = onLine ? surroundings.mainsHertz : model.rating.nominalHertz;
  const flow = model.discharging ? 'discharging' : model.charging ? 'charging' : 'resting';
  const watts = model.loadWatts;
  const voltAmperes = watts / powerFactor;
  return {
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
    'ups.temperature': (surroundings.temperatureCelsius + electronicsWarmth).toFixed(1),
    'ups.test.result': test.result,
    'ups.timer.shutdown': timer(output.secondsToOff),
    'ups.timer.start': timer(output.secondsToOn),
  };
}

/** Status words in the order of usual drivers. */
function statusWords(model: UpsModel): string {
  const { test, transfer, output } = model;
  const { bypass, sourceWord } = model.surroundings;
  const onBattery = transfer.source === 'battery' || test.running !== undefined;
  const words = [
    [alarm(model) !== undefined, 'ALARM'],
    [test.running === 'calibration', 'CAL'],
    [test.running !== undefined && test.running !== 'calibration', 'TEST'],
    [true, sourceWord ?? (onBattery ? 'OB' : 'OL')],
    [model.discharging, 'DISCHRG'],
    [model.charging, 'CHRG'],
    [model.batteryLow, 'LB'],
    [model.loadPercent > 100, 'OVER'],
    [test.replaceBattery, 'RB'],
    [output.on && transfer.tap === 'trim', 'TRIM'],
    [output.on && transfer.tap === 'boost', 'BOOST'],
    [bypass, 'BYPASS'],
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
