// "A step ends within its budget, after a restart within what is left of it."
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import { Invariant } from './invariant.js';
import type { StepRun } from './step-record.js';
import { keyOf } from './step-record.js';

/** Tolerance of timers. */
const slackMs = 50;
/** "FSD and the cut of an output keep 5 s"; a wait asks once, for 1 s. */
const leastMs = { upsOutputOff: 5_000, awaitOff: 1_000 } as const;

export class Budgets extends Invariant {
  #stalledMs = 0;

  worldChanged(worldEvent: { readonly kind: string; readonly ms?: number }): void {
    if (worldEvent.kind === 'stall') this.#stalledMs += worldEvent.ms ?? 0;
  }

  /** Before the record has it. */
  ended(step: PlanStep): void {
    const { steps, nowMs } = this.facts;
    const run = steps.of(keyOf(step));
    if (run?.by !== step || run.endedMs !== null) return;
    this.#check(step, run, nowMs);
  }

  ticked(): void {
    for (const run of this.facts.steps.running)
      if (run.step !== null) this.#check(run.step, run, this.facts.nowMs - 1_000);
  }

  #check(step: PlanStep, { firstBeganMs, budgetMs, beganMs }: StepRun, atMs: number): void {
    const endsMs = Math.max(firstBeganMs + budgetMs, beganMs + leastOf(step));
    if (atMs > endsMs + this.#stalledMs + slackMs)
      this.facts.violated('a step ends within its budget', `${step.id}: ${String(atMs - endsMs)} ms late`);
  }
}

function leastOf({ action, budgetSeconds }: PlanStep): number {
  if (action.kind === 'remote' && action.work.final !== null)
    return (action.work.connectTimeoutSeconds + action.work.commandTimeoutSeconds) * 1000;
  if (action.kind === 'poweroffDelegate') return budgetSeconds * 1000;
  return action.kind === 'upsOutputOff' || action.kind === 'awaitOff' ? leastMs[action.kind] : 0;
}
