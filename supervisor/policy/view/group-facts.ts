// What has changed of a redundancy group in one input, as the facts of events.
import type { GroupState, Member } from '../state/group-state.js';
import { healthyCount } from '../state/group-state.js';
import { startedBy } from '../trigger/shutdown.js';
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

function startFacts({ before, after }: GroupChange): readonly Fact[] {
  const request = startedBy(before.shutdown, after.shutdown);
  return request === null ? [] : [{ type: 'SHUTDOWN_TRIGGERED', trigger: request.trigger, why: request.why }];
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
  { place: 'the report of a quorum', factsOf: quorumFacts },
  { place: 'the report of a start', factsOf: startFacts },
];

export const memberReports: readonly Report<MemberChange>[] = [
  { place: 'the report of a threshold', factsOf: thresholdFacts },
];
