// One step of a plan with what is the same for most of them.
import type { PhaseName, PlanStep } from '../../../shared/domain/plan.js';

type BuiltStep = 'target' | 'action' | 'budgetSeconds' | 'estimateSeconds';

/** `name` tells the steps of a phase apart. Destructive, in a lane of its own that begins with its phase, unless `about` says else. */
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

/**
 * What is expected of something that is granted `limitSeconds`: a third of it. Limits are set for the worst day, and
 * what stops at all stops well before them. Shown only; decides nothing.
 */
export function shareOf(limitSeconds: number): number {
  return Math.max(1, Math.round(limitSeconds / 3));
}
