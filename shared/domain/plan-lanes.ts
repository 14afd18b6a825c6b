// Groups the steps of a phase into lanes, for the sequencer and for display. Decides the order and nothing else.
import type { PlanStep } from './plan.js';

/** Steps that run one rank after another; the steps of one rank run together. */
export interface Lane<S> {
  readonly name: string;
  readonly begins: PlanStep['begins'];
  readonly ranks: readonly (readonly S[])[];
}

/** The lanes of the steps of one phase, in the order of their first steps. The first step decides when its lane begins. */
export function lanesOf<S extends Pick<PlanStep, 'lane' | 'rank' | 'begins'>>(
  steps: readonly S[],
): readonly Lane<S>[] {
  const lanes = new Map<string, S[]>();
  for (const step of steps) {
    const lane = lanes.get(step.lane);
    if (lane === undefined) lanes.set(step.lane, [step]);
    else lane.push(step);
  }
  return [...lanes].map(([name, own]) => ({
    name,
    begins: own[0]?.begins ?? 'with_phase',
    ranks: ranksOf(own),
  }));
}

function ranksOf<S extends Pick<PlanStep, 'rank'>>(steps: readonly S[]): readonly (readonly S[])[] {
  const ranks = [...new Set(steps.map(({ rank }) => rank))].sort((a, b) => a - b);
  return ranks.map((rank) => steps.filter((step) => step.rank === rank));
}
