// Writes all file systems out to their disks, in a child process.
import type { Performer } from '../actuator.js';
import { outcomeOf } from '../outcome.js';
import type { LocalDependencies } from './local-calls.js';

/** A disk that does not answer blocks only the child, which the end of the budget abandons. */
export function syncPerformer({ run }: Pick<LocalDependencies, 'run'>): Performer<'sync'> {
  return async (_action, _step, signal) => outcomeOf(await run(['sync'], signal));
}
