// What has changed of a redundancy group in one input, as the facts of events.
import type { GroupState, Member } from '../state/group-state.js';
import { healthyCount } from '../state/group-state.js';
import { shutdownChange } from '../trigger/shutdown.js';
import type { UpsMemory } from '../state/ups-state.js';
import { activeTrigger } from '../state/ups-state.js';
import type { Fact, Report } from './events.js';
import type { MemberInWords } from './power-words.js';

/** The label of a UPS, by its groupId. */
export type LabelOf = (groupId: string) => string;

export function inWords(members: readonly Member[], labelOf: LabelOf): readonly MemberInWords[] {
  return members.map(({ ups, health, why }) => ({ label: labelOf(ups), health, why }));
}

/** What an evaluation has changed. */
export interface GroupChange {
  readonly before: GroupState;
  readonly after: GroupState;
  /** The members as they were counted. */
  readonly counted: readonly Member[];
  readonly isOutage: boolean;
  readonly labelOf: LabelOf;
}

function quorumFacts({ before, after, counted, isOutage, labelOf }: GroupChange): readonly Fact[] {
  const [from, to] = [before.quorum.kind, after.quorum.kind];
  const isLost = to === 'lost' && from !== 'lost';
  if (!isLost && !(from === 'lost' && to === 'held')) return [];
  const type = isLost ? 'QUORUM_LOST' : 'QUORUM_RESTORED';
  const healthy = healthyCount(counted, after.policy);
  return [{ type, healthy, counted: inWords(counted, labelOf), isOutage }];
}

function startFacts({ before, after: { shutdown } }: GroupChange): readonly Fact[] {
  if (shutdownChange(before.shutdown, shutdown) !== 'started' || shutdown.kind !== 'fired') return [];
  const { trigger, why } = shutdown;
  return [{ type: 'SHUTDOWN_TRIGGERED', trigger, why }];
}

/** What a reading of a member has changed. */
interface MemberChange {
  readonly before: GroupState;
  readonly after: GroupState;
  readonly ups: UpsMemory;
}

/** It has met a threshold of the group. */
function thresholdFacts({ before, after, ups }: MemberChange): readonly Fact[] {
  if (after === before || activeTrigger(ups) !== null) return [];
  return after.members.flatMap(({ met }, place): readonly Fact[] => {
    if (met === null || met === before.members[place]?.met) return [];
    const { trigger, why } = met;
    return [{ type: 'TRIGGER_ADVISORY', trigger, why, byGroup: after.policy.name }];
  });
}

export const groupReports: readonly Report<GroupChange>[] = [
  ['the report of a quorum', quorumFacts],
  ['the report of a start', startFacts],
];

export const memberReports: readonly Report<MemberChange>[] = [['the report of a threshold', thresholdFacts]];
