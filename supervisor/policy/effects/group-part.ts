// The effects of what an input has changed of a redundancy group.
import type { Effect } from '../base/effects.js';
import type { Guarded } from '../base/loss.js';
import type { EvaluatedGroup, Lookup } from '../decision/group.js';
import type { GroupState } from '../state/group-state.js';
import { groupRowOf } from '../state/group-state.js';
import type { UpsState } from '../state/ups-state.js';
import { groupReports, memberReports } from '../view/group-facts.js';
import type { Part } from './part.js';
import { commands, reported, withRow } from './part.js';

/** After a reading of a member, which was `from` before. */
export function readPart(
  before: GroupState,
  { value: after, lost }: Guarded<GroupState>,
  from: UpsState,
  ups: UpsState,
): Part<GroupState> {
  const { policy } = before;
  const isTransfer = from.line.kind !== 'outage' && ups.line.kind === 'outage';
  const thresholds = reported({ before, after, ups }, memberReports, ups.policy);
  return {
    state: after,
    effects: [
      ...(isTransfer ? [{ kind: 'prepare', groupId: policy.groupId } as const] : []),
      ...thresholds.value,
      ...(after === before ? [] : [{ kind: 'saveSnapshot', first: false } as const]),
    ],
    lost: [...lost, ...thresholds.lost],
  };
}

/** After an evaluation. */
export function evaluatedPart(
  before: GroupState,
  { lost, ...evaluated }: EvaluatedGroup,
  lookup: Lookup,
): Part<GroupState> {
  const { after } = evaluated;
  const { policy } = before;
  const { groupId } = policy;
  const events = reported({ before, ...evaluated }, groupReports, policy);
  const isSaved = before.quorum !== after.quorum || before.shutdown !== after.shutdown;
  const effects: readonly Effect[] = [
    ...commands(groupId, before.shutdown, after.shutdown),
    ...events.value,
    ...(isSaved ? [{ kind: 'saveSnapshot', first: false } as const] : []),
  ];
  return withRow('the row of a group', { state: after, effects, lost: [...lost, ...events.lost] }, () =>
    groupRowOf(policy, after, (ups) => lookup(ups)?.policy),
  );
}
