// Sequences that run at the same time: they share one power-off, shut down no server twice, and wait for each other where
// one would cut power that another still needs.
import type { Plan, PlanStep } from '../../shared/domain/plan.js';
import type { SequenceHistory } from './journal/history.js';
import { abandoned } from './budget.js';
import type { StepOutcome } from './outcome.js';
import type { PowerOff } from './phases/power-off.js';
import type { Sequence } from './run.js';
import { precedesFinalSync } from './run.js';

export class ConcurrentShutdown {
  /** `company` in the journals of its sequences. */
  readonly id: string;
  readonly #running = new Map<string, Sequence>();
  /** Groups whose sequence has ended, while others still run. */
  readonly #ended = new Set<string>();
  readonly #outcomes = new Map<string, Promise<StepOutcome>>();
  /** Servers that a previous daemon had started to shut down: since when, monotonic ms. */
  readonly #commandedSinceMs = new Map<string, number>();
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

  /** Called before a sequence of this plan starts. In a new outage, steps that no running sequence shares run again. */
  sequenceStarting({ group, phases }: Plan): void {
    if (!this.#ended.delete(group)) return;
    const others = [...this.#running.values()].flatMap(({ plan }) => serversOf(plan));
    const steps = phases.flatMap((phase) => phase.steps);
    for (const server of serversOf({ phases })) if (!others.includes(server)) this.#forget(server);
    const isRequested = [...this.#running.keys()].some((other) => this.#powerOff.isRequestedBy(other));
    if (isRequested || !steps.some(isPowerOff)) return;
    this.#powerOff.supersede();
    this.#powerOff = this.#newPowerOff();
  }

  add(group: string, sequence: Sequence): void {
    this.#running.set(group, sequence);
  }

  remove(group: string): void {
    this.#running.delete(group);
    this.#ended.add(group);
  }

  /** Restores the work of previous daemons for one of its sequences. */
  restore({ header, steps, over }: SequenceHistory): void {
    if (over !== null) this.#ended.add(header.group);
    for (const { id, action } of header.plan.phases.flatMap((phase) => phase.steps)) {
      const past = steps.get(id);
      if (past === undefined || action.kind !== 'remote' || action.work.final === null) continue;
      const { server } = action.work;
      if (past.ended !== null) this.#outcomes.set(server, Promise.resolve(past.ended.outcome));
      else
        this.#commandedSinceMs.set(
          server,
          Math.min(past.beganMs, this.#commandedSinceMs.get(server) ?? Infinity),
        );
    }
  }

  /**
   * The time when a previous daemon first started to shut down the server of the step. The budget counts from then. With more
   * time, another sequence that shares the server would use up its own budget and continue while the server still shuts down.
   */
  commandedSinceMs({ action }: PlanStep): number | undefined {
    return action.kind === 'remote' && action.work.final !== null
      ? this.#commandedSinceMs.get(action.work.server)
      : undefined;
  }

  /** The first caller shuts the server down; the others get the same outcome. */
  shutDownOnce(
    server: string,
    signal: AbortSignal,
    command: () => Promise<StepOutcome>,
  ): Promise<StepOutcome> {
    const known = this.#outcomes.get(server);
    if (known !== undefined) return known;
    const outcome = Promise.race([command(), abandoned(signal)]);
    this.#outcomes.set(server, outcome);
    return outcome;
  }

  /**
   * The wait of a step of `group`. The power-off of this host waits for the servers of all other groups, which this host shuts
   * down. The output of a UPS waits for the servers that it feeds. The budgets of those steps bound the wait.
   */
  gate(group: string, step: PlanStep): Promise<void> | null {
    const waits = [...this.#running]
      .filter(([other, { plan }]) => other !== group && takesPowerFrom(step, plan))
      .flatMap(([, sequence]) => sequence.serversDone() ?? []);
    return waits.length === 0 ? null : Promise.all(waits).then(() => undefined);
  }

  #forget(server: string): void {
    this.#outcomes.delete(server);
    this.#commandedSinceMs.delete(server);
  }
}

/** Whether the step cuts power or control that a plan of another group still needs. */
export function takesPowerFrom({ action }: PlanStep, { fedBy, phases }: Plan): boolean {
  switch (action.kind) {
    case 'poweroff':
    case 'poweroffDelegate':
      return phases.some(precedesFinalSync);
    case 'upsOutputOff':
      return fedBy.includes(action.ups) && phases.some(precedesFinalSync);
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

function serversOf({ phases }: Pick<Plan, 'phases'>): readonly string[] {
  const actions = phases.flatMap(({ steps }) => steps.map(({ action }) => action));
  return actions.flatMap((action) => (action.kind === 'remote' ? [action.work.server] : []));
}
