// What sequences ask of policy while they run. Without an answer a decided shutdown continues, and waits for nothing.
import type { Guard } from '../guard/guard.js';
import { isSeen, isSeenOnBattery, powerIsBack } from '../policy/power.js';
import type { PolicyState } from '../policy/state.js';
import { noTimeToWait } from '../policy/waiting.js';
import type { SequencerDependencies } from '../sequence/dependencies.js';
import { internalError } from '../sequence/outcome.js';

type Queries = Pick<SequencerDependencies, 'powerIsBack' | 'isSeen' | 'isSeenOnBattery' | 'noTimeToWait'>;

/** `startedMs`: the start of this daemon; earlier readings are of another. */
export function policyQueries(guard: Guard, state: () => PolicyState, startedMs: number): Queries {
  return guard.withFallback<Queries>(
    'policy',
    {
      powerIsBack: (group) => powerIsBack(state(), group),
      isSeen: (group) => isSeen(state(), group, startedMs),
      isSeenOnBattery: (group) => isSeenOnBattery(state(), group, startedMs),
      noTimeToWait: (group, trigger, followsSeconds) =>
        noTimeToWait(state(), group, trigger, followsSeconds, startedMs),
    },
    {
      powerIsBack: () => false,
      isSeen: () => false,
      isSeenOnBattery: () => false,
      noTimeToWait: () => internalError,
    },
  );
}
