// The lanes of a phase, as the sequencer runs them and as they are shown. Order only; decides nothing else.
import type { PlanStep } from './plan.js';

/** Steps that run one rank after another; the steps of one rank run together. */
export interface Lane<S> {
  readonly name: string;
  readonly begins: PlanStep['begins'];
  readonly ranks: readonly (readonly S[])[];
}

/** The lanes of one phase's steps, in the order of their first steps; what begins when is the word of a lane's first step. */
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
