// Explains one redundancy group in plain words: its members, its quorum, what comes next and why.
import type { TriggerExplanation } from '../../../shared/domain/status/status-model.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { PolicyClock } from '../base/clock.js';
import type { Explanation } from './explain-triggers.js';
import { explainSequence, explainTriggers } from './explain-triggers.js';
import type { GroupState, Member } from '../state/group-state.js';
import { healthyCount } from '../state/group-state.js';
import { effective } from '../state/member-health.js';
import type { UpsState } from '../state/ups-state.js';
import { activeTrigger } from '../state/ups-state.js';

export function explainGroup(
  group: GroupState,
  lookup: (groupId: string) => UpsState | undefined,
  now: PolicyClock,
  dryRun: boolean,
): Explanation {
  const { policy } = group;
  const members = group.members.flatMap((member) => {
    const ups = lookup(member.ups);
    return ups === undefined ? [] : [{ ups, member }];
  });
  const accounts = members.flatMap(({ ups, member }) => triggersOf(group, member, ups, now));
  const names = [...new Set(accounts.map(({ name }) => name))];
  const triggers = names.map((name) => nearest(accounts.filter((account) => account.name === name)));
  const rows = group.members.map((member) => {
    const { ups, health, why } = member;
    return `  ${lookup(ups)?.policy.label ?? ups}: ${health} (${why}), counts as ${effective(health, policy)}`;
  });
  const lines = [situation(group), prospect(group), explainSequence(group.shutdown, dryRun), ...rows];
  return { triggers, text: [...lines, ...triggers.map(({ name, text }) => `  ${name}: ${text}`)].join('\n') };
}

/**
 * The triggers of a member by the thresholds of the group, each with the name of the member. The failsafe is the
 * member's own.
 */
function triggersOf(
  group: GroupState,
  member: Member,
  ups: UpsState,
  now: PolicyClock,
): readonly TriggerExplanation[] {
  const accounts = explainTriggers({
    ups,
    settings: { ...group.policy.triggers, failsafeMs: ups.policy.triggers.failsafeMs },
    confirmed: member.confirmed,
    armed: group.shutdown.kind === 'armed',
    met: activeTrigger(ups) ?? member.met,
    toleratedPolls: ups.policy.maxStaleDataTolerance,
    now,
  });
  return accounts.map((account) => ({ ...account, text: `${ups.policy.label}: ${account.text}` }));
}

/** The explanation of the member that is nearest to firing. */
function nearest(accounts: readonly TriggerExplanation[]): TriggerExplanation {
  return accounts.reduce((best, account) => (distance(account) < distance(best) ? account : best));
}

function distance({ active, margin }: TriggerExplanation): number {
  if (active) return -Infinity;
  return margin ?? Infinity;
}

function situation({ policy, quorum, members }: GroupState): string {
  const count = healthyCount(members, policy);
  const have = `${String(count)} of ${String(members.length)} members count as healthy, ${String(policy.minHealthy)} needed`;
  switch (quorum.kind) {
    case 'starting':
      return `${policy.name}: the quorum is not evaluated yet: not every member has reported; ${have}.`;
    case 'held':
      return `${policy.name}: the quorum holds; ${have}.`;
    case 'doubted':
      return `${policy.name}: the last evaluation was short of the quorum, the next one decides; ${have}.`;
    case 'lost':
      return `${policy.name}: the quorum is lost; ${have}.`;
    default:
      return unreachable(quorum);
  }
}

function prospect(group: GroupState): string {
  const { policy, quorum, shutdown } = group;
  const spare = healthyCount(group.members, policy) - policy.minHealthy;
  if (quorum.kind === 'starting') {
    return 'Next: the quorum is evaluated when every member has reported, 80 s after the start at the latest.';
  }
  if (quorum.kind === 'lost') {
    if (shutdown.kind === 'armed') {
      return 'Next: nothing. No member is critical and none was seen on battery: monitoring that fails alone shuts nothing down.';
    }
    return shutdown.sequenceOver
      ? 'Next: nothing. The sequence that was started when the quorum was lost has ended.'
      : 'Next: the sequence goes on; it was started when the quorum was lost.';
  }
  if (spare < 0) return 'Next: the quorum is lost with the next evaluation, unless a member recovers.';
  return `Next: nothing. ${String(spare + 1)} more member(s) would have to fail for the quorum to be lost; then, with a member critical or on battery, the shutdown starts within 2 s.`;
}
