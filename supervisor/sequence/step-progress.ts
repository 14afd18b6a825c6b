// The progress of each step of a sequence, as the read model shows it: a view of the record. For display only.
import type { Plan, PlanStep } from '../../shared/domain/outage/plan.js';
import type { SequenceStep } from '../../shared/domain/status/status-model.js';
import type { GroupRecord } from './journal/fold.js';
import { endDateOf, stepsOf } from './journal/fold.js';
import type { StepOutcome } from './outcome.js';
import { failureOf, internalError } from './outcome.js';

type Progress = Pick<GroupRecord, 'steps' | 'phasesEnded' | 'over'>;

/** `record`: of the sequence that runs `plan`; undefined without one. */
export function progressOfSteps(plan: Plan, record: Progress | undefined): readonly SequenceStep[] {
  return stepsOf(plan).map((step) => {
    const { id, phase, target, budgetSeconds } = step;
    const startedAt = record?.steps.get(id)?.beganUnixSeconds ?? null;
    const known = record === undefined ? pending : stateOf(step, record);
    return { id, phase, target, startedAt, budgetSeconds, ...known };
  });
}

type StepState = Pick<SequenceStep, 'state' | 'endedAt' | 'error' | 'detail'>;

const pending: StepState = { state: 'pending', endedAt: null, error: null, detail: null };

function stateOf({ id, phase }: PlanStep, { steps, phasesEnded, over }: Progress): StepState {
  const step = steps.get(id);
  const ended = step?.ended ?? null;
  if (step !== undefined && ended !== null) return endOf(ended.outcome, endDateOf(step));
  // A bug ended it: the record has no end, so that a restarted daemon tries it again.
  if (phasesEnded.has(phase)) return endOf(failureOf(internalError), null);
  if (step !== undefined) return { ...pending, state: 'running' };
  const cancelled = over?.cancelled ?? null;
  return cancelled === null ? pending : endOf({ kind: 'skipped', reason: cancelled }, null);
}

export function endOf(outcome: StepOutcome, endedAt: number | null): StepState {
  const { kind: state } = outcome;
  if (state === 'done') return { state, endedAt, error: null, detail: outcome.detail ?? null };
  return { state, endedAt, error: outcome.reason, detail: null };
}
