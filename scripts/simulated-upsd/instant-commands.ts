// The instant commands of the simulated UPS and their effects on the model.
import type { Outcome } from './tracking.js';
import type { UpsModel } from './ups-model.js';

export interface InstantCommand {
  readonly description: string;
  /** Runs the command; `seconds` is the parameter of commands that take one. */
  readonly run: (model: UpsModel, seconds: number | undefined) => Outcome;
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
    model.output.shutDown(seconds ?? model.setting('ups.delay.shutdown'), comesBack);
    return 'SUCCESS';
  };

/** By name, in the order upsd lists them. */
export const instantCommands: Readonly<Record<string, InstantCommand>> = {
  'beeper.disable': {
    description: 'Keep the beeper quiet for good',
    run: always((model) => void (model.beeper = 'disabled')),
  },
  'beeper.enable': {
    description: 'Let the beeper sound',
    run: always((model) => void (model.beeper = 'enabled')),
  },
  'beeper.mute': {
    description: 'Silence the present alarm',
    run: always((model) => void (model.beeper = 'muted')),
  },
  'beeper.toggle': {
    description: 'Turn the beeper from on to off or back',
    run: always((model) => void (model.beeper = model.beeper === 'enabled' ? 'disabled' : 'enabled')),
  },
  'calibrate.start': {
    description: 'Measure the run time by emptying the battery',
    run: startTest('calibration'),
  },
  'calibrate.stop': {
    description: 'End the run time measurement',
    run: when((model) => model.test.running === 'calibration' && model.test.abort()),
  },
  'driver.reload': {
    description: 'Have the driver read its configuration anew',
    run: () => 'SUCCESS',
  },
  'load.off': {
    description: 'End the output now',
    takesSeconds: true,
    run: always((model, seconds) => {
      if (seconds === undefined) model.output.switchOff('never');
      else model.output.shutDown(seconds, 'never');
    }),
  },
  'load.on': {
    description: 'Begin the output now',
    run: always((model) => model.output.switchOn()),
  },
  'shutdown.return': {
    description: 'End the output after its delay; begin again when the line is there',
    takesSeconds: true,
    run: shutDown('withLine'),
  },
  'shutdown.stayoff': {
    description: 'End the output after its delay and leave it off',
    takesSeconds: true,
    run: shutDown('never'),
  },
  'shutdown.stop': {
    description: 'Call a pending end of output off',
    run: when((model) => model.output.stop()),
  },
  'test.battery.start': {
    description: 'Test the battery',
    takesSeconds: true,
    run: startTest('quick'),
  },
  'test.battery.start.deep': {
    description: 'Test the battery at length',
    takesSeconds: true,
    run: startTest('deep'),
  },
  'test.battery.start.quick': {
    description: 'Test the battery for a moment',
    takesSeconds: true,
    run: startTest('quick'),
  },
  'test.battery.stop': {
    description: 'End the battery test',
    run: when((model) => model.test.running !== 'calibration' && model.test.abort()),
  },
};

/** Runs a command by its name, ignoring case. `ERR UNKNOWN`: no such command. The parameter must be a number. */
export function runInstantCommand(model: UpsModel, name: string, parameter: string | undefined): Outcome {
  const command = instantCommands[name.toLowerCase()];
  if (command === undefined) return 'ERR UNKNOWN';
  if (parameter === undefined) return command.run(model, undefined);
  // At most one hour.
  if (command.takesSeconds !== true || !/^\d{1,4}$/.test(parameter) || Number(parameter) > 3600)
    return 'ERR INVALID-ARGUMENT';
  return command.run(model, Number(parameter));
}
