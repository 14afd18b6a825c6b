// How a step ended, as the journal, the API and the summary tell it.
import type { CommandOutcome } from './command.js';
import { unreachable } from '../../shared/domain/unreachable.js';

export type StepOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** A command that exits 0 has done its step; anything else is a failure in words, with the command's last line. */
export function outcomeOf(command: CommandOutcome): StepOutcome {
  switch (command.kind) {
    case 'exited':
      if (command.code === 0) return { kind: 'done' };
      return { kind: 'failed', reason: `exit status ${String(command.code)}${lastLine(command.output)}` };
    case 'signalled':
      return { kind: 'failed', reason: `ended by ${command.signal}${lastLine(command.output)}` };
    case 'unstartable':
      return { kind: 'failed', reason: `could not be started: ${command.message}` };
    case 'abandoned':
      return {
        kind: 'failed',
        reason: `did not end within its budget and was killed${lastLine(command.output)}`,
      };
    default:
      return unreachable(command);
  }
}

function lastLine(output: string): string {
  const line = output.trimEnd().split('\n').at(-1)?.trim().slice(0, 300) ?? '';
  return line === '' ? '' : `: ${line}`;
}
