// The sequences of the present outages as the reserve knows them, and what a restart makes of them.
import type { SequenceCause } from '../../shared/domain/status/states.js';
import type { SequenceRecord } from '../sequence/journal/record.js';
import type { PreviousState } from './previous-state.js';

/** A sequence of this outage. */
export interface Fired {
  readonly trigger: SequenceCause;
  readonly why: string;
  readonly firedAtUnixSeconds: number;
  readonly isOver: boolean;
  /** The time of the decision in policy's state, which may be later; null: policy does not know of it. */
  readonly policyUnixSeconds: number | null;
  /** Power came back while it ran. */
  readonly isPowerBack: boolean;
}

export function firedByPolicy(cause: Pick<Fired, 'trigger' | 'why' | 'firedAtUnixSeconds'>): Fired {
  return { ...cause, isOver: false, policyUnixSeconds: cause.firedAtUnixSeconds, isPowerBack: false };
}

/** What the file of the reserve has, written at `writtenMs` (monotonic), with what policy knew when its state was saved. */
export function withPrevious(
  written: ReadonlyMap<string, Fired>,
  writtenMs: number,
  { state, takenMs, isForgotten }: PreviousState,
  record: Pick<SequenceRecord, 'of'>,
): Map<string, Fired> {
  const all = new Map(written);
  const fired = [...state.ups, ...state.groups].flatMap(({ policy: { groupId }, shutdown }) =>
    shutdown.kind === 'fired' ? [{ groupId, shutdown }] : [],
  );
  for (const { groupId, shutdown } of fired) {
    const { trigger, why, sinceUnixSeconds: firedAtUnixSeconds, sequenceOver: isOver } = shutdown;
    const byPolicy = firedByPolicy({ trigger, why, firedAtUnixSeconds });
    const own = all.get(groupId) ?? byPolicy;
    const isKnown = (own.policyUnixSeconds ?? firedAtUnixSeconds) === firedAtUnixSeconds;
    // Policy has armed the group and decided again since the file was written.
    const next = isKnown || takenMs < writtenMs ? own : byPolicy;
    const isSame = next.firedAtUnixSeconds === firedAtUnixSeconds;
    all.set(groupId, isSame && isOver ? { ...next, isOver } : next);
  }
  for (const [group, decided] of all) {
    // The record alone does not say whether power was back since.
    const { over = null, cause, lastMs = Infinity } = record.of(group) ?? {};
    const hasEnded = over !== null && cause?.firedAtUnixSeconds === decided.firedAtUnixSeconds;
    const isUnknown = hasEnded && !fired.some(({ groupId }) => groupId === group);
    // Policy, which knew it, has armed the group since its end: what is older is the file of the reserve.
    const isArmed = isUnknown && !isForgotten && decided.policyUnixSeconds !== null && takenMs > lastMs;
    if (isArmed) all.delete(group);
    else if (isForgotten || isUnknown) all.set(group, { ...decided, policyUnixSeconds: null });
  }
  return all;
}
