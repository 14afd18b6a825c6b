// A sequence that a journal has and policy does not: the snapshot is lost, or older than the decision.
import { groupRowOf } from '../state/group-state.js';
import { lostQuorum } from '../state/quorum.js';
import type { ShutdownRequest } from '../base/effects.js';
import type { Shutdown } from '../trigger/shutdown.js';
import { firedBy } from '../trigger/shutdown.js';
import type { PolicyState } from '../state/state.js';
import { groupOf, upsOf } from '../state/state.js';
import type { UpsState } from '../state/ups-state.js';
import { isPowerStable } from '../state/ups-state.js';

/**
 * Resumes the sequence of `group` requested at `sinceUnixSeconds`. Line power from the snapshot is older than the
 * request: only a new reading can show that power is back.
 */
export function resumeSequence(
  state: PolicyState,
  group: string,
  request: ShutdownRequest,
  sinceUnixSeconds: number,
): PolicyState {
  const known = upsOf(state, group) ?? groupOf(state, group);
  if (known === undefined || isAwaited(known.shutdown)) return state;
  const shutdown = firedBy(request, sinceUnixSeconds);
  const sources = groupOf(state, group)?.policy.members ?? [group];
  return {
    ...state,
    ups: state.ups.map((ups) => {
      const { groupId } = ups.policy;
      const seen = sources.includes(groupId) && isPowerStable(ups) ? unseen(ups) : ups;
      return groupId === group ? { ...seen, shutdown } : seen;
    }),
    groups: state.groups.map((before) => {
      const { policy } = before;
      if (policy.groupId !== group) return before;
      const resumed = { ...before, quorum: lostQuorum, shutdown };
      return { ...resumed, row: groupRowOf(policy, resumed, (member) => upsOf(state, member)?.policy) };
    }),
  };
}

/** Policy waits for its end. A sequence whose end it knows is of an earlier outage. */
function isAwaited(shutdown: Shutdown): boolean {
  return shutdown.kind === 'fired' && !shutdown.sequenceOver;
}

function unseen(ups: UpsState): UpsState {
  return { ...ups, readings: { ...ups.readings, last: null } };
}
