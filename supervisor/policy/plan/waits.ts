// The waits of a plan and its tries: how long the plan is without waits, and what follows each wait. Arithmetic only.
import type { Plan, PlanStep } from '../../../shared/domain/outage/plan.js';
import { beginningsOf } from '../../../shared/domain/outage/plan-lanes.js';
import { againStep } from './remote-steps.js';
import { endOf, timed } from './timing.js';

const isWait = ({ action }: PlanStep): boolean => action.kind === 'awaitOff';

/** The plan as it runs where no wait is possible. */
export function withoutWaits(plan: Plan): Plan {
  return timed(
    plan,
    plan.phases.flatMap(({ steps }) => steps).filter((step) => !isWait(step)),
  );
}

/** Each wait with the bound of what follows it. */
export function withFollows(plan: Plan): readonly PlanStep[] {
  const bare = withoutWaits(plan);
  return plan.phases.flatMap(({ name, steps }) => {
    const beginsAfter = bare.phases.find((phase) => phase.name === name)?.beginsAfterSeconds ?? 0;
    const beginnings = beginningsOf(steps, beginsAfter, (step) => (isWait(step) ? 0 : step.budgetSeconds));
    return steps.map((step) => {
      const { action } = step;
      if (action.kind !== 'awaitOff') return step;
      const followsSeconds = bare.boundSeconds - (beginnings.get(step) ?? beginsAfter);
      return { ...step, action: { ...action, followsSeconds } };
    });
  });
}

/** The plan with a try in each phase after the servers, which lasts as long as the other steps of the phase. */
export function withTries(plan: Plan): readonly PlanStep[] {
  const place = plan.phases.findIndex(({ name }) => name === 'remote_servers');
  const commands = plan.phases[place]?.steps ?? [];
  return plan.phases.flatMap(({ name, steps }, index) =>
    place >= 0 && index > place
      ? [...steps, againStep(name, commands, endOf(steps, 0, 'budgetSeconds'))]
      : steps,
  );
}
