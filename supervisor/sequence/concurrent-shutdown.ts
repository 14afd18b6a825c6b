// Sequences that run side by side: they share one power-off, command no server twice, and wait for each other where one
// would take the ground from under another.
import type { Plan, PlanStep } from '../../shared/domain/plan.js';
import type { SequenceHistory } from './journal/summary.js';
import type { StepOutcome } from './outcome.js';
import type { PowerOff } from './phases/power-off.js';
import type { Sequence } from './run.js';
import { goesToTargets } from './run.js';

export class ConcurrentShutdown {
  /** As the journals of its sequences name it. */
  readonly id: string;
  readonly #running = new Map<string, Sequence>();
  /** Groups whose sequence has ended, while others still run. */
  readonly #ended = new Set<string>();
  readonly #servers = new Map<string, Promise<StepOutcome>>();
  /** Servers that were being commanded when a daemon before this one ended: since when, monotonic ms. */
  readonly #begunMs = new Map<string, number>();
  readonly #newPowerOff: () => PowerOff;
  #powerOff: PowerOff;

  constructor(id: string, newPowerOff: () => PowerOff) {
    this.id = id;
    this.#newPowerOff = newPowerOff;
    this.#powerOff = newPowerOff();
  }

  get powerOff(): PowerOff {
    return this.#powerOff;
  }

  /** A sequence of this plan is about to start. In another outage of its group, what nobody else shares is done anew. */
  begins({ group, phases }: Plan): void {
    if (!this.#ended.delete(group)) return;
    const others = [...this.#running.values()].flatMap(({ plan }) => serversOf(plan));
    const steps = phases.flatMap((phase) => phase.steps);
    for (const server of serversOf({ phases })) if (!others.includes(server)) this.#forget(server);
    const isAsked = [...this.#running.keys()].some((other) => this.#powerOff.isAskedBy(other));
    if (isAsked || !steps.some(isPowerOff)) return;
    this.#powerOff.supersede();
    this.#powerOff = this.#newPowerOff();
  }

  joined(group: string, sequence: Sequence): void {
    this.#running.set(group, sequence);
  }

  left(group: string): void {
    this.#running.delete(group);
    this.#ended.add(group);
  }

  /** What daemons before this one had done for one of its sequences. */
  remember({ header, steps, over }: SequenceHistory): void {
    if (over !== null) this.#ended.add(header.group);
    for (const { id, action } of header.plan.phases.flatMap((phase) => phase.steps)) {
      const past = steps.get(id);
      if (past === undefined || action.kind !== 'remote' || action.work.final === null) continue;
      const { server } = action.work;
      if (past.ended !== null) this.#servers.set(server, Promise.resolve(past.ended.outcome));
      else this.#begunMs.set(server, Math.min(past.beganMs, this.#begunMs.get(server) ?? Infinity));
    }
  }

  /**
   * When a daemon before this one first began with the server of the step. Whoever commands it now has what is left since
   * then: were it more, another sequence would be through with its time and go on while the server is still worked on.
   */
  begunMs({ action }: PlanStep): number | undefined {
    return action.kind === 'remote' && action.work.final !== null
      ? this.#begunMs.get(action.work.server)
      : undefined;
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
  gate(group: string, step: PlanStep): Promise<void> | null {
    const waits = [...this.#running]
      .filter(([other, { plan }]) => other !== group && takesPowerFrom(step, plan))
      .flatMap(([, sequence]) => sequence.targetsOver() ?? []);
    return waits.length === 0 ? null : Promise.all(waits).then(() => undefined);
  }

  #forget(server: string): void {
    this.#servers.delete(server);
    this.#begunMs.delete(server);
  }
}

/** Whether the step takes the ground from under what a plan of another group shuts down. */
export function takesPowerFrom({ action }: PlanStep, { fedBy, phases }: Plan): boolean {
  switch (action.kind) {
    case 'poweroff':
    case 'poweroffDelegate':
      return phases.some(goesToTargets);
    case 'upsOutputOff':
      return fedBy.includes(action.ups) && phases.some(goesToTargets);
    case 'wall':
    case 'stopVirtualMachines':
    case 'stopCompose':
    case 'stopContainers':
    case 'sync':
    case 'unmount':
    case 'remote':
      return false;
  }
}

function isPowerOff({ action }: PlanStep): boolean {
  return action.kind === 'poweroff' || action.kind === 'poweroffDelegate';
}

/** Whom the plan commands to shut down. */
function serversOf({ phases }: Pick<Plan, 'phases'>): readonly string[] {
  const actions = phases.flatMap(({ steps }) => steps.map(({ action }) => action));
  return actions.flatMap((action) => (action.kind === 'remote' ? [action.work.server] : []));
}

/** Settles when the budget of who commands the server is used up: nobody else may wait for what has been left behind. */
function abandonment(signal: AbortSignal): Promise<StepOutcome> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve({ kind: 'failed', how: 'timeout', reason: 'not done within its budget; left behind' });
    });
  });
}
