// The waits of a plan and its tries: how long the plan is without waits, and what follows each wait. Arithmetic only.
import type { Plan, PlanStep } from '../../../shared/domain/plan.js';
import { lanesOf } from '../../../shared/domain/plan-lanes.js';
import { againStep } from './remote-steps.js';
import { timed } from './timing.js';

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
    const phase = bare.phases.find((one) => one.name === name);
    return steps.map((step) => {
      const { action } = step;
      if (action.kind !== 'awaitOff' || phase === undefined) return step;
      const lane = lanesOf(phase.steps).find((one) => one.name === step.lane);
      const before = (lane?.ranks ?? []).filter((rank) => (rank[0]?.rank ?? 0) < step.rank);
      const beganSeconds = step.begins === 'with_sequence' ? 0 : phase.beginsAfterSeconds;
      const atSeconds = before.reduce(
        (sum, rank) => sum + Math.max(...rank.map(({ budgetSeconds }) => budgetSeconds)),
        beganSeconds,
      );
      return { ...step, action: { ...action, followsSeconds: bare.boundSeconds - atSeconds } };
    });
  });
}

/** The plan with a try in each phase after the servers, which lasts as long as the phase. */
export function withTries(plan: Plan): readonly PlanStep[] {
  const place = plan.phases.findIndex(({ name }) => name === 'remote_servers');
  const commands = plan.phases[place]?.steps ?? [];
  return plan.phases.flatMap(({ name, steps, budgetSeconds }, index) =>
    place >= 0 && index > place ? [...steps, againStep(name, commands, budgetSeconds)] : steps,
  );
}
