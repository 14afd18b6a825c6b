// Which servers of a plan are logged in to when its sequence begins, and how many side by side. Pure.
import { kindOf } from '../../shared/domain/actions/table.js';
import type { Plan, PlanStep } from '../../shared/domain/outage/plan.js';
import { beginningsOf, lanesOf } from '../../shared/domain/outage/plan-lanes.js';

export interface EarlyLogins {
  /** In the order of their commands. */
  readonly servers: readonly string[];
  /** As many as the plan shuts down side by side. */
  readonly atOnce: number;
}

export function earlyLogins({ phases }: Plan): EarlyLogins {
  const steps = phases.flatMap((phase) => phase.steps).filter((step) => serverOf(step) !== null);
  const lanes = lanesOf(steps);
  const sizes = lanes.map(({ ranks }) => Math.max(...ranks.map((rank) => rank.length)));
  const beginnings = phases.flatMap((phase) => [
    ...beginningsOf(phase.steps, phase.beginsAfterSeconds, (step) => step.budgetSeconds),
  ]);
  const servers = beginnings.toSorted(([, a], [, b]) => a - b).flatMap(([step]) => serverOf(step) ?? []);
  return { servers, atOnce: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Null for a step that gives no final command; those of a host delegate log in several times. */
function serverOf({ phase, action }: PlanStep): string | null {
  return phase === 'remote_servers' ? kindOf(action).serverOf(action) : null;
}
