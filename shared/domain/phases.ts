// Load and real power of a UPS that shows them for each phase alone (NUT: docs/nut-names.txt, output.L1.power.percent).
import { load, watts } from './quantity.js';
import type { Quantity } from './quantity.js';
import type { Variables } from './reading.js';

const phases = ['L1', 'L2', 'L3'] as const;

/** The load of the phase that carries most: its limit is met first. */
export function phaseLoad(variables: Variables): number | null {
  const shown = shownOf(variables, load, [
    'output.#.power.percent',
    'output.#.load',
    'ups.#.load',
    'ups.#.power.percent',
  ]);
  return shown.length === 0 ? null : Math.max(...shown);
}

/** The sum; null where one of the phases in use shows none. */
export function phaseWatts(variables: Variables): number | null {
  const shown = shownOf(variables, watts, ['output.#.realpower', 'ups.#.realpower']);
  const used = Number(variables['output.phases'] ?? phases.length);
  return shown.length === 0 || shown.length < used ? null : shown.reduce((sum, one) => sum + one, 0);
}

/** By the first of `names` that any phase has. */
function shownOf(variables: Variables, quantity: Quantity, names: readonly string[]): readonly number[] {
  for (const name of names) {
    const shown = phases
      .map((phase) => name.replace('#', phase))
      .map((each) => (Object.hasOwn(variables, each) ? quantity(variables[each]) : null))
      .filter((value) => value !== null);
    if (shown.length > 0) return shown;
  }
  return [];
}
