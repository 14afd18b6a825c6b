// "The power-off waits for the servers of other running groups": of those that fell with its own or before.
import { isPowerOff } from '../configuration.js';
import type { Invariant } from './invariant.js';
import { hostKey, serverKey } from './step-record.js';

export const gates: Invariant = (facts) => {
  const { world, steps, sequences } = facts;
  function check(): void {
    const own = sequences.running.filter(({ group }) => facts.hostGroups.includes(group));
    const [first] = own;
    // A try after a failure waits for nothing any more; nor does a host without a running sequence.
    if (first === undefined || own.length > 1 || steps.of(hostKey) !== undefined) return;
    if (sequences.hasCrashed || sequences.hasLost) return;
    const due = sequences.running.filter(({ sinceMs }) => sinceMs <= first.sinceMs);
    for (const { name, owner } of world.site.plant.servers) {
      const isOwn = world.site.plant.drain || due.some(({ group }) => group === owner);
      const isOpen = (steps.of(serverKey(name))?.endedMs ?? null) === null && !steps.commandedMs.has(name);
      if (isOwn && isOpen) facts.violated('the power-off waits for the servers of all groups', name);
    }
  }
  return {
    ran(command) {
      if (isPowerOff(command)) check();
    },
    began({ action }) {
      if (action.kind === 'poweroffDelegate') check();
    },
  };
};
