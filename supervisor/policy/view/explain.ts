// `ridethrough explain`: the state of a UPS or group, what happens next, when and why, in plain words.
import type { Instant } from '../../../shared/domain/base/instant.js';
import { advanced } from '../base/clock.js';
import { explainGroup } from './explain-group.js';
import type { Explanation } from './explain-triggers.js';
import { explainUps } from './explain-ups.js';
import type { PolicyState } from '../state/state.js';
import { groupOf, upsOf } from '../state/state.js';

/** Explains a configured UPS or redundancy group at `at` (default: the last input). `dryRun` is said where a sequence is. */
export function explain(state: PolicyState, groupId: string, at?: Instant, dryRun = false): Explanation {
  const now = at === undefined ? state.clock : advanced(state.clock, at);
  const ups = upsOf(state, groupId);
  if (ups !== undefined) return explainUps(ups, now, dryRun);
  const group = groupOf(state, groupId);
  if (group === undefined) throw new Error(`nothing is configured as ${groupId}`);
  return explainGroup(group, (member) => upsOf(state, member), now, dryRun);
}
