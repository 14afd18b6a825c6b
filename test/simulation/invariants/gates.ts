// "The power-off waits for the servers of other running groups": of those that fell with its own or before.
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import { isPowerOff } from '../configuration.js';
import { Invariant } from './invariant.js';

export class Gates extends Invariant {
  ran(command: CommandLine): void {
    if (isPowerOff(command)) this.#check();
  }

  began({ action }: PlanStep): void {
    if (action.kind === 'poweroffDelegate') this.#check();
  }

  #check(): void {
    const { world, steps, sequences, hostGroups } = this.facts;
    const { running } = sequences;
    if (running.some(({ crashes }) => crashes > 0) || sequences.hasLost) return;
    const own = running.filter(({ group }) => hostGroups.includes(group));
    const firstMs = Math.min(...own.map(({ sinceMs }) => sinceMs));
    // A try after a failure waits for nothing any more; nor does a host without a running sequence.
    if (own.length !== 1 || steps.of('host') !== undefined) return;
    const due = running.filter(({ sinceMs }) => sinceMs <= firstMs).map(({ group }) => group);
    for (const { name, owner, order } of world.site.plant.servers) {
      const run = steps.of(`server ${name}`);
      const isOwn = due.includes(owner) || (world.site.plant.drain && own.length > 0);
      if (isOwn && (run === undefined || run.endedMs === null) && !steps.commandedMs.has(name))
        this.facts.violated(
          'the power-off waits for the servers of all groups',
          `${name}, order ${String(order)}`,
        );
    }
  }
}
