// Computes from the steps when each phase begins at the latest, and how long the plan can take. Arithmetic only.
import type { Plan, PlanPhase, PlanStep } from '../../../shared/domain/outage/plan.js';
import { phaseOrder } from '../../../shared/domain/outage/plan.js';
import { beginningsOf } from '../../../shared/domain/outage/plan-lanes.js';

type Measure = 'budgetSeconds' | 'estimateSeconds';

/** The plan of these steps, with the time of each phase. Empty phases are left out. */
export function timed(
  { group, label, fedBy, dryRun }: Pick<Plan, 'group' | 'label' | 'fedBy' | 'dryRun'>,
  steps: readonly PlanStep[],
): Plan {
  const phases: PlanPhase[] = [];
  let boundSeconds = 0;
  let estimateSeconds = 0;
  for (const name of phaseOrder) {
    const own = steps.filter(({ phase }) => phase === name);
    if (own.length === 0) continue;
    const budget = endOf(own, boundSeconds, 'budgetSeconds') - boundSeconds;
    const estimate = endOf(own, estimateSeconds, 'estimateSeconds') - estimateSeconds;
    phases.push({
      name,
      steps: own,
      beginsAfterSeconds: boundSeconds,
      budgetSeconds: budget,
      estimateSeconds: estimate,
    });
    boundSeconds += budget;
    estimateSeconds += estimate;
  }
  return { group, label, fedBy, phases, boundSeconds, estimateSeconds, dryRun };
}

/** When the last step has ended, counted from the start of the sequence. Nothing waits for a try. */
export function endOf(steps: readonly PlanStep[], beginsAfter: number, measure: Measure): number {
  const awaited = steps.filter(({ action }) => action.kind !== 'commandAgain');
  const beginnings = beginningsOf(awaited, beginsAfter, (step) => step[measure]);
  return Math.max(beginsAfter, ...[...beginnings].map(([step, at]) => at + step[measure]));
}
