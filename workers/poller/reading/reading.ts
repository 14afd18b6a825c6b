// Turns the variables of one poll into numbers with units. A value outside physics is missing, never a number
// (specification/policy.md#values-outside-physics). Policy judges values that need memory (a charge of 0 on line power).
import { phaseLoad, phaseWatts } from '../../../shared/domain/status/phases.js';
import { celsius, charge, hertz, load, runtime, volts, watts } from '../../../shared/domain/ups/quantity.js';
import type { Reading, Variables } from '../../../shared/domain/ups/reading.js';
import { statusWords } from '../../../shared/domain/ups/status-words.js';

/** Longest status word that the link carries. Known words have at most 8 characters, so a cut word stays unknown. */
const maxWordLength = 64;

/**
 * Drivers whose battery.runtime is not what is left: gamatronic shows the seconds on battery (networkupstools/nut#257), and
 * hwmon_ina219 the 60 s of its last low battery, until the driver starts again.
 */
const withoutRuntime: readonly string[] = ['gamatronic', 'hwmon_ina219'];

export function readingOf(variables: Variables): Reading {
  const text = (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
  return {
    status: statusWords(variables['ups.status'] ?? '').map((word) => word.slice(0, maxWordLength)),
    chargePercent: charge(text('battery.charge')),
    runtimeSeconds: withoutRuntime.includes(text('driver.name') ?? '')
      ? null
      : runtime(text('battery.runtime')),
    loadPercent: load(text('ups.load')) ?? phaseLoad(variables),
    inputVolts: volts(text('input.voltage')),
    outputVolts: volts(text('output.voltage')),
    batteryVolts: volts(text('battery.voltage')),
    inputHertz: hertz(text('input.frequency')),
    outputHertz: hertz(text('output.frequency')),
    // A device with one thermometer may have it at the battery (specification/api-resources.md#power-quality).
    temperatureCelsius: celsius(text('ups.temperature') ?? text('battery.temperature')),
    nominalVolts: volts(text('input.voltage.nominal')),
    realPowerWatts: watts(text('ups.realpower')) ?? phaseWatts(variables),
  };
}
