// Tests one mutant in a process with freshly loaded modules, until something fails. Says what caught the mutant, or null.
import { say, task } from './child.js';
import { failing } from './tests.js';

export type TrialMessage =
  | { readonly kind: 'goesOn' }
  | { readonly kind: 'over'; readonly caughtBy: string | null };

const over: TrialMessage = {
  kind: 'over',
  caughtBy: await failing(task as readonly string[]).catch((error: unknown) =>
    `it does not even start: ${String(error)}`.slice(0, 200),
  ),
};
say(over);
