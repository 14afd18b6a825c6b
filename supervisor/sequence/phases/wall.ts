// Sends a message to the terminals of all logged-in users. Never destructive; bounded by its budget.
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { CommandOutcome } from '../../host/run-command.js';
import type { StepOutcome } from '../outcome.js';
import { outcomeOf } from '../outcome.js';

/** Broadcasts `message` with wall(1). */
export async function broadcast(
  run: (command: CommandLine, signal: AbortSignal) => Promise<CommandOutcome>,
  message: string,
  signal: AbortSignal,
): Promise<StepOutcome> {
  return outcomeOf(await run(['wall', '--', message], signal));
}
