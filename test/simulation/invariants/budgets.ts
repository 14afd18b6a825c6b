// "A step ends within its budget, after a restart within what is left of it."
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { Invariant } from './invariant.js';
import type { StepRun } from './step-record.js';

/** Tolerance of timers. */
const slackMs = 50;

/** "FSD and the cut of an output keep 5 s, the power-off and a try their full budget"; a wait asks once, for 1 s; a server keeps its connection and its command. */
function leastMs({ action, budgetSeconds }: PlanStep): number {
  if (action.kind === 'remote' && action.work.final !== null)
    return (action.work.connectTimeoutSeconds + action.work.commandTimeoutSeconds) * 1000;
  if (action.kind === 'poweroffDelegate' || action.kind === 'commandAgain') return budgetSeconds * 1000;
  return action.kind === 'upsOutputOff' ? 5_000 : action.kind === 'awaitOff' ? 1_000 : 0;
}

export const budgets: Invariant = (facts) => {
  let stalledMs = 0;
  function check(step: PlanStep, { firstBeganMs, budgetMs, beganMs }: StepRun, atMs: number): void {
    const lateMs = atMs - Math.max(firstBeganMs + budgetMs, beganMs + leastMs(step));
    if (lateMs > stalledMs + slackMs)
      facts.violated('a step ends within its budget', `${step.id}: ${String(lateMs)} ms late`);
  }
  return {
    worldChanged(worldEvent) {
      if (worldEvent.kind === 'stall') stalledMs += worldEvent.ms;
    },
    ended(step) {
      const run = facts.steps.open(step);
      if (run !== undefined) check(step, run, facts.nowMs);
    },
    ticked() {
      for (const run of facts.steps.running) if (run.step !== null) check(run.step, run, facts.nowMs - 1_000);
    },
  };
};
