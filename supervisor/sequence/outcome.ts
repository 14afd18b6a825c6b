// The outcome of a step, as in the journal, the API and the summary.
import type { CommandOutcome } from '../host/run-command.js';
import { isEndedBySignal } from '../../shared/domain/commands/ended-by-signal.js';
import { unreachable } from '../../shared/domain/base/unreachable.js';

export type StepOutcome =
  /** `detail`: what it found or did, where that is not what the plan says: "off after 41 s". */
  | { readonly kind: 'done'; readonly detail?: string }
  /** There was nothing to do, or the step must not run now. */
  | {
      readonly kind: 'skipped';
      readonly reason: string;
      /** Power was back: this output stays on, and is cut before the power-off where power has failed again by then. */
      readonly cutsLater?: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly how: FailureKind;
      readonly reason: string;
      /** The final command of a server was never sent to an open channel: it may be tried again, and nothing waits for it. */
      readonly neverSent?: boolean;
      /**
       * The server has not said whether it runs it, or a remote worker or supervisor was lost that may have sent it: it is tried again, and
       * waited for. Of a command that was sent, or of this host: a signal has ended it, as init does once it goes down.
       */
      readonly maybeSent?: boolean;
    };

/** `unreachable`: no connection to the target. `timeout`: the budget was used up. */
export type FailureKind = 'failed' | 'unreachable' | 'timeout';

/** The reason of a failure that is a bug of this program. */
export const internalError = 'internal error; see the log';

/** A failure other than an unreachable target or a missed deadline. */
export function failureOf(reason: string): StepOutcome {
  return { kind: 'failed', how: 'failed', reason };
}

/** Exit status 0 is done; anything else is a failure in words, with the last line of the command's output. */
export function outcomeOf(command: CommandOutcome): StepOutcome {
  switch (command.kind) {
    case 'exited':
      if (command.code === 0) return { kind: 'done' };
      return failureOf(`exit status ${String(command.code)}${lastLine(command.output)}`);
    case 'signalled':
      return failureOf(`ended by ${command.signal}${lastLine(command.output)}`);
    case 'unstartable':
      return failureOf(`could not be started: ${command.message}`);
    case 'abandoned': {
      const reason = `did not end within its budget and was killed${lastLine(command.output)}`;
      return { kind: 'failed', how: 'timeout', reason };
    }
    default:
      return unreachable(command);
  }
}

/** Of a power-off or restart of this host: a client that a signal has ended, as by init at a restart that has begun, may have asked for it. */
export function hostOutcome(command: CommandOutcome): StepOutcome {
  const outcome = outcomeOf(command);
  const isEnded =
    command.kind === 'signalled' || (command.kind === 'exited' && isEndedBySignal(command.code));
  return isEnded && outcome.kind === 'failed' ? { ...outcome, maybeSent: true } : outcome;
}

type Failure = Extract<StepOutcome, { kind: 'failed' }>;

/** As far as is known the server never got its final command: it is tried again. */
export function isUnsent(outcome: StepOutcome | undefined): outcome is Failure {
  return outcome?.kind === 'failed' && outcome.neverSent === true;
}

/** The outcome of a step that was begun before, by a supervisor that was lost with it. */
export function begunBefore(outcome: StepOutcome): StepOutcome {
  return isUnsent(outcome) ? { ...outcome, maybeSent: true } : outcome;
}

/** The text of a target goes to the journal, events and messages; the rest of a longer one is cut. */
const maxChars = 2_000;

export function withBoundedText(outcome: StepOutcome): StepOutcome {
  if (outcome.kind !== 'done') return { ...outcome, reason: outcome.reason.slice(0, maxChars) };
  return outcome.detail === undefined ? outcome : { ...outcome, detail: outcome.detail.slice(0, maxChars) };
}

function lastLine(output: string): string {
  const line = output.trimEnd().split('\n').at(-1)?.trim().slice(0, 300) ?? '';
  return line === '' ? '' : `: ${line}`;
}
