// Policy as one function. Total, synchronous, without clock, I/O or randomness; it never throws.
import type { Effect } from './effects.js';
import type { Input } from './inputs.js';
import type { PolicyState } from './state.js';

export interface Stepped {
  readonly state: PolicyState;
  readonly effects: readonly Effect[];
}

/** One input in, the next state and what is to be done about it out. */
export function step(state: PolicyState, input: Input): Stepped {
  void input;
  return { state, effects: [] };
}
