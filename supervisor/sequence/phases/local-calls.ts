// What the local phases share: calls of programs with a deadline of their own, within the step's budget. A program that
// hangs costs its call, never the step.
import type { CommandLine } from '../../../shared/domain/plan.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { Logger } from '../../../shared/runtime/log.js';
import { singleLine } from '../../../shared/domain/single-line.js';
import type { HostFacts } from '../../host/host-facts.js';
import type { CommandOutcome, Keep, RunCommand } from '../../host/run-command.js';
import { outcomeOf } from '../outcome.js';

export interface LocalDependencies {
  readonly run: RunCommand;
  /** An appointment that can be taken back by calling what it returns; a fake one in tests. */
  readonly setTimer: (ms: number, then: () => void) => () => void;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Pick<Logger, 'info' | 'warning'>;
  readonly host: HostFacts;
}

/** Runs `command` for at most `seconds`, and never longer than the step. */
export async function call(
  { run, setTimer }: Pick<LocalDependencies, 'run' | 'setTimer'>,
  step: AbortSignal,
  seconds: number,
  command: CommandLine,
  keep: Keep = 'lastWords',
): Promise<CommandOutcome> {
  const limit = new AbortController();
  const stop = () => limit.abort();
  const cancel = setTimer(seconds * 1000, stop);
  if (step.aborted) stop();
  else step.addEventListener('abort', stop, { once: true });
  try {
    return await run(command, limit.signal, keep);
  } finally {
    cancel();
    step.removeEventListener('abort', stop);
  }
}

/** Lets `ms` pass, or less when the step ends before. */
export function pause(
  { setTimer }: Pick<LocalDependencies, 'setTimer'>,
  step: AbortSignal,
  ms: number,
): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      step.removeEventListener('abort', end);
      resolve();
    };
    const cancel = setTimer(ms, end);
    if (step.aborted) end();
    else step.addEventListener('abort', end, { once: true });
  });
}

/** The step's own time: what of its budget is left at any moment. */
export class StepTime {
  readonly #clock: LocalDependencies['clock'];
  readonly #endsAtMs: number;

  constructor(clock: LocalDependencies['clock'], budgetSeconds: number) {
    this.#clock = clock;
    this.#endsAtMs = clock.monotonicMs() + budgetSeconds * 1000;
  }

  get leftSeconds(): number {
    return Math.max(0, (this.#endsAtMs - this.#clock.monotonicMs()) / 1000);
  }
}

/** Why a call has failed, in words; undefined when it has not. */
export function faultOf(outcome: CommandOutcome): string | undefined {
  const ended = outcomeOf(outcome);
  return ended.kind === 'done' ? undefined : ended.reason;
}

/** A few names, the rest counted: it goes into an event and a message to people. */
export function named(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => singleLine(name).slice(0, 64));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}
