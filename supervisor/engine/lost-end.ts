// What policy goes on with when it could not be told that a sequence has ended: one that stays open would be resumed, or cancelled, at
// each tick. Pure.
import type { PolicyState } from '../policy/state/state.js';
import type { Shutdown } from '../policy/trigger/shutdown.js';
import { armed } from '../policy/trigger/shutdown.js';

interface Group {
  readonly policy: { readonly groupId: string };
  readonly shutdown: Shutdown;
}

export function afterLostEnd(state: PolicyState, group: string): PolicyState {
  const over = <T extends Group>(before: T): T => {
    const { policy, shutdown } = before;
    if (policy.groupId !== group || shutdown.kind === 'armed') return before;
    return { ...before, shutdown: shutdown.outageOver ? armed : { ...shutdown, sequenceOver: true } };
  };
  return { ...state, ups: state.ups.map(over), groups: state.groups.map(over) };
}
