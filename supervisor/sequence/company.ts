// Sequences that run side by side: they share one power-off, command no server twice, and wait for each other where one
// would take the ground from under another.
import type { PlanStep } from '../../shared/domain/plan.js';
import type { StepOutcome } from './outcome.js';
import type { PowerOff } from './phases/power-off.js';
import type { Sequence } from './run.js';

export class Company {
  /** As the journals of its sequences name it. */
  readonly id: string;
  readonly powerOff: PowerOff;
  readonly #running = new Map<string, Sequence>();
  readonly #servers = new Map<string, Promise<StepOutcome>>();

  constructor(id: string, powerOff: PowerOff) {
    this.id = id;
    this.powerOff = powerOff;
  }

  joined(group: string, sequence: Sequence): void {
    this.#running.set(group, sequence);
  }

  left(group: string): void {
    this.#running.delete(group);
  }

  /** A server was commanded before this daemon lived. */
  alreadyCommanded(server: string, outcome: StepOutcome): void {
    this.#servers.set(server, Promise.resolve(outcome));
  }

  /** Whoever comes first commands the server; the others have the same outcome. */
  once(server: string, signal: AbortSignal, command: () => Promise<StepOutcome>): Promise<StepOutcome> {
    const known = this.#servers.get(server);
    if (known !== undefined) return known;
    const outcome = Promise.race([command(), abandonment(signal)]);
    this.#servers.set(server, outcome);
    return outcome;
  }

  /**
   * What a step of `group` has to wait for: the power-off of this host, from which the servers are commanded, for the
   * servers of all others; the output of a UPS for the servers that it feeds. Both are bounded by the budgets there.
   */
  gate(group: string, { action }: PlanStep): Promise<void> | null {
    const others = [...this.#running].filter(([other]) => other !== group).map(([, sequence]) => sequence);
    switch (action.kind) {
      case 'poweroff':
      case 'poweroffDelegate':
        return targetsOverOf(others);
      case 'upsOutputOff':
        return targetsOverOf(others.filter(({ plan }) => plan.fedBy.includes(action.ups)));
      case 'wall':
      case 'stopVirtualMachines':
      case 'stopCompose':
      case 'stopContainers':
      case 'sync':
      case 'unmount':
      case 'remote':
        return null;
    }
  }
}

/** Steps that take the ground from under what others shut down. */
export function takesPowerAway({ action }: PlanStep): boolean {
  return action.kind === 'poweroff' || action.kind === 'poweroffDelegate' || action.kind === 'upsOutputOff';
}

function targetsOverOf(sequences: readonly Sequence[]): Promise<void> | null {
  if (sequences.length === 0) return null;
  return Promise.all(sequences.map((sequence) => sequence.targetsOver())).then(() => undefined);
}

/** Settles when the budget of who commands the server is used up: nobody else may wait for what has been left behind. */
function abandonment(signal: AbortSignal): Promise<StepOutcome> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve({ kind: 'failed', how: 'timeout', reason: 'not done within its budget; left behind' });
    });
  });
}
