// What sequences share that run at the same time: a server is shut down once, and a step that cuts power waits for what still
// needs that power. Both follow from the record.
import type { Plan, PlanStep } from '../../shared/domain/plan.js';
import { abandoned } from './budget.js';
import { areServersDone, precedesFinalSync, serverOf } from './journal/fold.js';
import type { ShutdownRecord } from './journal/record.js';
import type { StepOutcome } from './outcome.js';

export class SharedSteps {
  readonly #record: ShutdownRecord;
  /** The commands of this daemon, by server. */
  readonly #commands = new Map<string, Promise<StepOutcome>>();

  constructor(record: ShutdownRecord) {
    this.#record = record;
  }

  /** Groups have fallen: a server that the record does not have any more gets its commands again. */
  decided(): void {
    for (const server of [...this.#commands.keys()])
      if (!this.#record.servers.has(server)) this.#commands.delete(server);
  }

  /**
   * When the server of the step was first commanded, monotonic ms. The budget counts from then. With more time, another
   * sequence that shares the server would use up its own budget and continue while the server still shuts down.
   */
  commandedSinceMs(step: PlanStep): number | undefined {
    const server = serverOf(step);
    return server === null ? undefined : this.#record.servers.get(server)?.beganMs;
  }

  /** The first caller shuts the server down; the others, and those after a restart, get the same outcome. */
  shutDownOnce(
    server: string,
    signal: AbortSignal,
    command: () => Promise<StepOutcome>,
  ): Promise<StepOutcome> {
    const known = this.#commands.get(server);
    if (known !== undefined) return known;
    const ended = this.#record.servers.get(server)?.ended ?? null;
    const outcome =
      ended === null ? Promise.race([command(), abandoned(signal)]) : Promise.resolve(ended.outcome);
    this.#commands.set(server, outcome);
    return outcome;
  }

  /**
   * The wait of a step of `group` for the servers of other open sequences; null: it does not wait. Those of a sequence that a
   * restart has not resumed yet count too. The budgets of their steps bound the wait.
   */
  gate(group: string, step: PlanStep): Promise<void> | null {
    return this.#record.until(() =>
      this.#record.open.every(
        (other) => other.group === group || !takesPowerFrom(step, other.plan) || areServersDone(other),
      ),
    );
  }
}

/** Whether the step cuts power or control that a plan of another group still needs. */
function takesPowerFrom({ action }: PlanStep, { fedBy, phases }: Plan): boolean {
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
