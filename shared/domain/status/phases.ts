// What a UPS shows for each phase alone (NUT: docs/nut-names.txt, output.L1.power.percent): its rows, and load and real power of all.
import { phaseVoltages, voltageNames } from '../ups/mains-voltage.js';
import { load, watts } from '../ups/quantity.js';
import type { QuantityParser } from '../ups/quantity.js';
import type { Variables } from '../ups/reading.js';
import type { PhaseRow } from './status-model.js';

const phases = ['L1', 'L2', 'L3'] as const;

const loadNames = phaseNames([
  'output.#.power.percent',
  'output.#.load',
  'ups.#.load',
  'ups.#.power.percent',
]);
const wattNames = phaseNames(['output.#.realpower', 'ups.#.realpower']);

const allNames = [loadNames, wattNames, voltageNames('input'), voltageNames('output')].flat(2);
const none: readonly PhaseRow[] = [];

/** A row for each phase of which the driver shows anything. `lost`: names as L2-N. */
export function phaseRows(variables: Variables, lost: readonly string[]): readonly PhaseRow[] {
  // Nearly all UPSes have one phase, and this is done at each reading.
  if (!allNames.some((name) => variables[name] !== undefined)) return none;
  const inputs = phaseVoltages(variables, 'input')?.voltages ?? [];
  const outputs = phaseVoltages(variables, 'output')?.voltages ?? [];
  const loads = shownOf(variables, load, loadNames);
  const powers = shownOf(variables, watts, wattNames);
  return phases.flatMap((phase, place) => {
    // L2, L2-N and L2-L3 are all of the second.
    const isOfPhase = (name: string) => name.startsWith(phase);
    const input = inputs.find((one) => isOfPhase(one.phase));
    const output = outputs.find((one) => isOfPhase(one.phase));
    const [percent, power] = [loads[place] ?? null, powers[place] ?? null];
    if (input === undefined && output === undefined && percent === null && power === null) return [];
    return [
      {
        phase,
        inputAt: input?.phase ?? '',
        inputVoltage: input?.volts ?? null,
        outputAt: output?.phase ?? '',
        outputVoltage: output?.volts ?? null,
        load: percent,
        realPower: power,
        lost: lost.some(isOfPhase),
      },
    ];
  });
}

/** The load of the phase that carries most: its limit is met first. */
export function phaseLoad(variables: Variables): number | null {
  const shown = shownOf(variables, load, loadNames).filter((value) => value !== null);
  return shown.length === 0 ? null : Math.max(...shown);
}

/** The sum; null where one of the phases in use shows none. */
export function phaseWatts(variables: Variables): number | null {
  const shown = shownOf(variables, watts, wattNames).filter((value) => value !== null);
  const used = Number(variables['output.phases'] ?? phases.length);
  return shown.length === 0 || shown.length < used ? null : shown.reduce((sum, one) => sum + one, 0);
}

/** Each name for all phases. */
function phaseNames(names: readonly string[]): readonly (readonly string[])[] {
  return names.map((name) => phases.map((phase) => name.replace('#', phase)));
}

/** By phase, by the first of `names` that any phase has; empty without one. */
function shownOf(
  variables: Variables,
  quantity: QuantityParser,
  names: readonly (readonly string[])[],
): readonly (number | null)[] {
  for (const ofPhases of names) {
    const shown = ofPhases.map((each) => (Object.hasOwn(variables, each) ? quantity(variables[each]) : null));
    if (shown.some((value) => value !== null)) return shown;
  }
  return [];
}
