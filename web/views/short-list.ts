// The steps of one phase that have room in the banner. Pure.
import type { SequenceStep } from '../../shared/domain/status/status-model.js';
import { stepStates } from '../ui/phrases.js';

/** Of one phase: below the banner of every view is the view. */
const maxSteps = 6;
/** The most urgent first. */
const urgency: readonly SequenceStep['state'][] = ['failed', 'running', 'pending', 'skipped', 'done'];

/** The most urgent steps in the order of the plan, and the number of the others by state. */
export function shortList(steps: readonly SequenceStep[]): {
  readonly shown: readonly SequenceStep[];
  readonly rest: string;
} {
  if (steps.length <= maxSteps) return { shown: steps, rest: '' };
  const urgent = new Set(
    [...steps].sort((a, b) => urgency.indexOf(a.state) - urgency.indexOf(b.state)).slice(0, maxSteps),
  );
  const others = steps.filter((step) => !urgent.has(step));
  const counts = [...urgency].reverse().flatMap((state) => {
    const count = others.filter((step) => step.state === state).length;
    return count === 0 ? [] : [`${String(count)} ${stepStates[state]}`];
  });
  return {
    shown: steps.filter((step) => urgent.has(step)),
    rest: `${String(others.length)} more: ${counts.join(', ')}`,
  };
}
