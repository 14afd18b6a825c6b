// Whether a sequence may wait for a server to be off: no wait outlasts the battery (specification/sequence.md#waits).
import type { SequenceCause } from '../../../shared/domain/status/states.js';
import { formatSeconds } from '../../../shared/domain/base/duration.js';
import type { PolicyState } from '../state/state.js';
import { groupOf, upsOf } from '../state/state.js';
import type { UpsState } from '../state/ups-state.js';
import { activeTrigger, isReadOnBattery, undoubtedReading } from '../state/ups-state.js';

/** A restarted daemon gets its first reading within this (specification/sequence.md#restart-during-a-sequence). */
const maxReadingWaitMs = 15_000;
/** The UPS demands the end, says that it is near or has come, or is not seen any more. */
const urgent: ReadonlySet<SequenceCause> = new Set<SequenceCause>([
  'FSD',
  'LOW_BATTERY_FLAG',
  'OUTPUT_OFF',
  'FAILSAFE',
]);

/**
 * Why a sequence of the group, started by `trigger`, may not wait now; null: it may. What follows the wait takes
 * `followsSeconds` at most. `startedMs`: the start of this daemon, whose first reading has its time.
 */
export function noTimeToWait(
  state: PolicyState,
  groupId: string,
  trigger: SequenceCause,
  followsSeconds: number,
  startedMs: number,
): string | null {
  if (urgent.has(trigger)) return `the trigger is ${trigger}`;
  const group = groupOf(state, groupId);
  const members = group?.policy.members ?? [groupId];
  const isStarting = state.clock.monotonicMs - startedMs < maxReadingWaitMs;
  const reasons = members.flatMap((member) => {
    const ups = upsOf(state, member);
    return noTimeOf(ups, followsSeconds, isStarting) ?? (group === undefined ? null : unread(ups)) ?? [];
  });
  const remaining = members.length - reasons.length;
  return remaining >= (group?.policy.minHealthy ?? 1) ? null : (reasons[0] ?? null);
}

/** A member that cannot be read may feed nothing. For a UPS by itself there is the failsafe. */
function unread(ups: UpsState | undefined): string | null {
  return ups?.connection.status.kind === 'failed' ? `${ups.policy.label} cannot be read any more` : null;
}

function noTimeOf(ups: UpsState | undefined, followsSeconds: number, isStarting: boolean): string | null {
  if (ups === undefined) return 'its UPS is not configured any more';
  const { label } = ups.policy;
  const trigger = activeTrigger(ups)?.trigger;
  if (trigger !== undefined && urgent.has(trigger)) return `${label}: ${trigger}`;
  const { last } = ups.readings;
  if (last === null) return isStarting ? null : `${label} has not been read`;
  const { status } = last.reading;
  if (status.includes('FSD') && ups.fsd.kind !== 'own') return `${label}: FSD`;
  if (!isReadOnBattery(ups)) return null;
  if (status.includes('LB')) return `${label}: LB`;
  const { runtimeSeconds } = undoubtedReading(last, ups, ups.policy).reading;
  if (runtimeSeconds === null || runtimeSeconds >= followsSeconds) return null;
  return `${label} has ${formatSeconds(runtimeSeconds)} of runtime left, and what follows may take ${formatSeconds(followsSeconds)}`;
}
