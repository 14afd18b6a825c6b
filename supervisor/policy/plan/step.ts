// Builds one step of a plan, with defaults.
import type { PhaseName, PlanStep } from '../../../shared/domain/outage/plan.js';

type BuiltStep = 'target' | 'action' | 'budgetSeconds' | 'estimateSeconds';

/**
 * `name` is unique in its phase: one that is not from the configuration has a slash inside where others are from it. Default:
 * destructive, in a lane of its own that begins with its phase.
 */
export function step(
  phase: PhaseName,
  name: string,
  about: Pick<PlanStep, BuiltStep> & Partial<PlanStep>,
): PlanStep {
  return {
    id: `${phase}/${name}`,
    phase,
    lane: name,
    rank: 0,
    begins: 'with_phase',
    destructive: true,
    ...about,
  };
}

/** The estimate for a limit: a third of it, because limits are set for the worst case. Display only. */
export function shareOf(limitSeconds: number): number {
  return Math.max(1, Math.round(limitSeconds / 3));
}
