// The instant commands of the simulated UPS and their effects on the model.
import type { TrackingResult } from './tracking.js';
import type { UpsModel } from './ups-model.js';

export interface InstantCommand {
  readonly description: string;
  /** Runs the command; `seconds` is the parameter of commands that take one. */
  readonly run: (model: UpsModel, seconds: number | undefined) => TrackingResult;
  readonly takesSeconds?: true;
}

const always =
  (act: (model: UpsModel, seconds: number | undefined) => void): InstantCommand['run'] =>
  (model, seconds) => {
    act(model, seconds);
    return 'SUCCESS';
  };

/** `ERR FAILED` is what a driver reports when the device refuses. */
const when =
  (done: (model: UpsModel) => boolean): InstantCommand['run'] =>
  (model) =>
    done(model) ? 'SUCCESS' : 'ERR FAILED';

/** The UPS refuses a test on battery, with the output off and during another test. */
const startTest =
  (kind: 'quick' | 'deep' | 'calibration'): InstantCommand['run'] =>
  (model, seconds) => {
    if (model.transfer.source === 'battery' || !model.output.on || model.test.running !== undefined)
      return 'ERR FAILED';
    model.test.start(kind, seconds);
    return 'SUCCESS';
  };

const shutDown =
  (comesBack: 'withLine' | 'never'): InstantCommand['run'] =>
  (model, seconds) => {
    if (!model.output.on) return 'ERR FAILED';
    model.output.shutDown(
      seconds ?? model.setting('ups.delay.shutdown'),
      comesBack,
      model.setting('ups.delay.start'),
    );
    return 'SUCCESS';
  };

/** By name, in the order upsd lists them. */
export const instantCommands: Readonly<Record<string, InstantCommand>> = {
  'beeper.disable': {
    description: 'Disable the UPS beeper',
    run: always((model) => void (model.beeper = 'disabled')),
  },
  'beeper.enable': {
    description: 'Enable the UPS beeper',
    run: always((model) => void (model.beeper = 'enabled')),
  },
  'beeper.mute': {
    description: 'Temporarily mute the UPS beeper',
    run: always((model) => void (model.beeper = 'muted')),
  },
  'beeper.toggle': {
    description: 'Toggle the UPS beeper',
    run: always((model) => void (model.beeper = model.beeper === 'enabled' ? 'disabled' : 'enabled')),
  },
  'calibrate.start': {
    description: 'Start runtime calibration',
    run: startTest('calibration'),
  },
  'calibrate.stop': {
    description: 'Stop runtime calibration',
    run: when((model) => model.test.running === 'calibration' && model.test.abort()),
  },
  'driver.reload': {
    description: 'Reload the configuration of the driver',
    run: () => 'SUCCESS',
  },
  'load.off': {
    description: 'Turn off the load immediately',
    takesSeconds: true,
    run: always((model, seconds) => {
      if (seconds === undefined) model.output.switchOff('never');
      else model.output.shutDown(seconds, 'never', 0);
    }),
  },
  'load.on': {
    description: 'Turn on the load immediately',
    run: always((model) => model.output.switchOn()),
  },
  'shutdown.return': {
    description: 'Turn off the load and return when power is back',
    takesSeconds: true,
    run: shutDown('withLine'),
  },
  'shutdown.stayoff': {
    description: 'Turn off the load and remain off',
    takesSeconds: true,
    run: shutDown('never'),
  },
  'shutdown.stop': {
    description: 'Stop a shutdown in progress',
    run: when((model) => model.output.stop()),
  },
  'test.battery.start': {
    description: 'Start a battery test',
    takesSeconds: true,
    run: startTest('quick'),
  },
  'test.battery.start.deep': {
    description: 'Start a deep battery test',
    takesSeconds: true,
    run: startTest('deep'),
  },
  'test.battery.start.quick': {
    description: 'Start a quick battery test',
    takesSeconds: true,
    run: startTest('quick'),
  },
  'test.battery.stop': {
    description: 'Stop the battery test',
    run: when((model) => model.test.running !== 'calibration' && model.test.abort()),
  },
};

/** Runs a command by its name, ignoring case. `ERR UNKNOWN`: no such command. The parameter must be a number. */
export function runInstantCommand(
  model: UpsModel,
  name: string,
  parameter: string | undefined,
): TrackingResult {
  const command = instantCommands[name.toLowerCase()];
  if (command === undefined) return 'ERR UNKNOWN';
  if (parameter === undefined) return command.run(model, undefined);
  // At most one hour.
  if (command.takesSeconds !== true || !/^\d{1,4}$/.test(parameter) || Number(parameter) > 3600)
    return 'ERR INVALID-ARGUMENT';
  return command.run(model, Number(parameter));
}
