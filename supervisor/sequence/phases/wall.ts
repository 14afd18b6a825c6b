// Tells the users who are logged in. Never destructive, and nothing waits for it longer than its budget.
import { runCommand } from '../command.js';
import type { StepOutcome } from '../outcome.js';
import { outcomeOf } from '../outcome.js';

/** Broadcasts `message` with wall(1). */
export async function tellUsers(message: string, signal: AbortSignal): Promise<StepOutcome> {
  return outcomeOf(await runCommand(['wall', '--', message], signal));
}
