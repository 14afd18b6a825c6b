// Policy's step for tests: an exception in a part of it, which costs the daemon only that part, fails the test.
import type { Input } from '../../supervisor/policy/base/inputs.js';
import type { PolicyState } from '../../supervisor/policy/state/state.js';
import type { Stepped } from '../../supervisor/policy/step.js';
import { step } from '../../supervisor/policy/step.js';

export function soundStep(state: PolicyState, input: Input): Stepped {
  const stepped = step(state, input);
  const [loss] = stepped.lost;
  if (loss !== undefined) throw new Error(`${loss.place} threw`, { cause: loss.error });
  return stepped;
}
