// Every fault of every worker, one at a time: its effect on the others, and the time to recover.
import type { Fault, FaultReport, Target } from '../fixtures/faults.js';
import { measureFault } from '../fixtures/faults.js';
import type { Figure } from './table.js';

const faults: readonly Fault[] = ['kill', 'spin', 'allocate', 'flood'];
const targets: readonly Target[] = ['poller', 'api', 'log'];

export async function faultTable(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const target of targets) {
    for (const fault of faults) figures.push(figure(await measureFault(fault, target)));
  }
  return figures;
}

function figure({ fault, target, longestGapMs, backMs, triggerMs }: FaultReport): Figure {
  return {
    what: `${fault} ${target}`,
    value: `back in ${(backMs / 1000).toFixed(2)} s`,
    against: `others polled at least every ${longestGapMs.toFixed(0)} ms; FSD -> exec ${triggerMs.toFixed(0)} ms`,
  };
}
