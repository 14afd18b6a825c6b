// Tells the users who are logged in. Never destructive, and nothing waits for it longer than its budget.
import type { CommandLine } from '../../../shared/domain/plan.js';
import type { CommandOutcome } from '../../host/run-command.js';
import type { StepOutcome } from '../outcome.js';
import { outcomeOf } from '../outcome.js';

/** Broadcasts `message` with wall(1), run by `run`. */
export async function tellUsers(
  run: (command: CommandLine, signal: AbortSignal) => Promise<CommandOutcome>,
  message: string,
  signal: AbortSignal,
): Promise<StepOutcome> {
  return outcomeOf(await run(['wall', '--', message], signal));
}
