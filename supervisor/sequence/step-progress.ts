// The progress of each step of a sequence, as in the read model. For display only.
import type { Plan, PlanStep } from '../../shared/domain/plan.js';
import type { SequenceStep } from '../../shared/domain/status-model.js';
import type { StepRecord } from './journal/fold.js';
import type { StepOutcome } from './outcome.js';

export class StepProgress {
  readonly #steps: Map<string, SequenceStep>;

  /** `past`: the progress under a previous daemon. */
  constructor(plan: Plan, past: ReadonlyMap<string, StepRecord> = new Map()) {
    const steps = plan.phases.flatMap((phase) => phase.steps);
    this.#steps = new Map(steps.map((step) => [step.id, initialStep(step, past.get(step.id))]));
  }

  get steps(): readonly SequenceStep[] {
    return [...this.#steps.values()];
  }

  began(id: string, startedAt: number): void {
    this.#change(id, { state: 'running', startedAt });
  }

  ended(id: string, outcome: StepOutcome, endedAt: number): void {
    this.#change(id, endOf(outcome, endedAt));
  }

  /** Cancels the sequence: steps that have not started are skipped. */
  skipPending(reason: string): void {
    for (const { id, state } of this.#steps.values()) {
      if (state === 'pending') this.#change(id, { state: 'skipped', error: reason });
    }
  }

  #change(id: string, change: Partial<SequenceStep>): void {
    const step = this.#steps.get(id);
    if (step !== undefined) this.#steps.set(id, { ...step, ...change });
  }
}

function initialStep(
  { id, phase, target, budgetSeconds }: PlanStep,
  past: StepRecord | undefined,
): SequenceStep {
  const step: SequenceStep = {
    id,
    phase,
    target,
    state: 'pending',
    startedAt: past?.beganUnixSeconds ?? null,
    endedAt: null,
    budgetSeconds,
    error: null,
    detail: null,
  };
  if (past?.ended === undefined || past.ended === null) return step;
  return { ...step, ...endOf(past.ended.outcome, past.ended.unixSeconds) };
}

export function endOf(
  outcome: StepOutcome,
  endedAt: number,
): Pick<SequenceStep, 'state' | 'endedAt' | 'error' | 'detail'> {
  const { kind: state } = outcome;
  if (state === 'done') return { state, endedAt, error: null, detail: outcome.detail ?? null };
  return { state, endedAt, error: outcome.reason, detail: null };
}
