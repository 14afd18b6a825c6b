// "Nothing destructive begins once power is back; after that point a sequence runs to its end", and "power that is back cancels a
// sequence that has begun nothing destructive". Where one sequence runs: whose step it is leaves nothing open.
import { isPowerOff } from '../configuration.js';
import type { Invariant } from './invariant.js';

/** Two ticks, and what else may come between. */
const promptMs = 1_500;

export const pointOfNoReturn: Invariant = (facts) => {
  const { sequences, world } = facts;
  let isPast = false;
  /** A kill or a full disk may have lost the record of the first destructive step, or it may be of another sequence. */
  let isInDoubt = false;
  let backSinceMs: number | null = null;
  /** The group whose sequence can still be ended though power is back. */
  const endable = (): string | null => {
    const group = sequences.only?.group ?? null;
    return group !== null && !isPast && !isInDoubt && facts.isPowerBack(group) ? group : null;
  };
  return {
    began(step) {
      if (!step.destructive) return;
      const group = endable();
      if (group !== null)
        facts.violated('nothing destructive begins once power is back', `${step.id} of ${group}`);
      isPast = true;
      isInDoubt ||= world.tmpfs.full || world.daemon.stalled;
    },
    ran(command) {
      isPast ||= isPowerOff(command);
    },
    /** Before the record has it. */
    recorded({ type, source, detail }) {
      const isAlone = sequences.only?.group === source;
      if (type === 'SHUTDOWN_CANCELLED' && isAlone && isPast && !isInDoubt)
        facts.violated('past the point of no return a sequence runs to its end', `${source}: ${detail}`);
    },
    checked() {
      isInDoubt ||= sequences.running.length > 1;
      if (sequences.running.length > 0) return;
      isPast = isInDoubt = false;
      backSinceMs = null;
    },
    ticked() {
      const group = endable();
      backSinceMs = group === null ? null : (backSinceMs ?? facts.nowMs);
      if (group !== null && facts.nowMs - (backSinceMs ?? facts.nowMs) > promptMs)
        facts.violated('power that is back ends what can still be ended', group);
    },
    daemonDied() {
      isInDoubt = true;
      backSinceMs = null;
    },
  };
};
