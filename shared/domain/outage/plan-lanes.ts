// Groups the steps of a phase into lanes and computes when each step begins. Runs nothing.
import type { PlanStep } from './plan.js';

/** Steps that run one rank after another; the steps of one rank run together. */
export interface Lane<S> {
  readonly name: string;
  readonly ranks: readonly (readonly S[])[];
}

/** The lanes of the steps of one phase, in the order of their first steps. */
export function lanesOf<S extends Pick<PlanStep, 'lane' | 'rank'>>(steps: readonly S[]): readonly Lane<S>[] {
  const lanes = new Map<string, S[]>();
  for (const step of steps) {
    const lane = lanes.get(step.lane);
    if (lane === undefined) lanes.set(step.lane, [step]);
    else lane.push(step);
  }
  return [...lanes].map(([name, own]) => ({ name, ranks: ranksOf(own) }));
}

/**
 * When each step begins, in seconds from the start of the sequence, where a step takes `secondsOf(step)`: after the rank before
 * it, and not before its phase unless it begins with the sequence.
 */
export function beginningsOf<S extends Pick<PlanStep, 'lane' | 'rank' | 'begins'>>(
  steps: readonly S[],
  phaseBeginsSeconds: number,
  secondsOf: (step: S) => number,
): ReadonlyMap<S, number> {
  const beginnings = new Map<S, number>();
  for (const { ranks } of lanesOf(steps)) {
    let ready = 0;
    for (const rank of ranks) {
      const from = (step: S): number =>
        step.begins === 'with_sequence' ? ready : Math.max(ready, phaseBeginsSeconds);
      for (const step of rank) beginnings.set(step, from(step));
      ready = Math.max(...rank.map((step) => from(step) + secondsOf(step)));
    }
  }
  return beginnings;
}

function ranksOf<S extends Pick<PlanStep, 'rank'>>(steps: readonly S[]): readonly (readonly S[])[] {
  const ranks = [...new Set(steps.map(({ rank }) => rank))].sort((a, b) => a - b);
  return ranks.map((rank) => steps.filter((step) => step.rank === rank));
}
