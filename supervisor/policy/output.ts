// Whether the output of a UPS may be cut at the end of a sequence, with regard to the other groups it feeds.
import type { PolicyState } from './state.js';

/** The reason not to cut the output, or null (specification/sequence.md#output-of-the-ups). */
export function outputStaysOn(state: PolicyState, ups: string): string | null {
  for (const { policy, members } of state.groups) {
    if (!policy.members.includes(ups)) continue;
    const carrying = members.filter(({ health }) => health !== 'CRITICAL');
    if (carrying.length > 0)
      return `the output stays on: ${carrying.map(({ ups: name, health }) => `${name} is ${health}`).join(', ')} in ${policy.name}`;
  }
  return null;
}
