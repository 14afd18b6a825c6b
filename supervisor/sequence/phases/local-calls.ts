// Shared by the local phases: calls of programs with their own deadline within the step's budget. A program that hangs fails
// its call, never the step.
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { Logger } from '../../../shared/runtime/log.js';
import type { HostFacts } from '../../host/host-facts.js';
import type { SetTimer } from '../../host/timer.js';
import type { CommandOutcome, OutputMode, RunCommand } from '../../host/run-command.js';
import { outcomeOf } from '../outcome.js';

export interface LocalDependencies {
  readonly run: RunCommand;
  readonly setTimer: SetTimer;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Pick<Logger, 'info' | 'warning'>;
  readonly host: HostFacts;
}

/** Runs `command` for at most `seconds`, and not after the end of the step's budget. */
export async function call(
  { run, setTimer }: Pick<LocalDependencies, 'run' | 'setTimer'>,
  step: AbortSignal,
  seconds: number,
  command: CommandLine,
  mode: OutputMode = 'tail',
): Promise<CommandOutcome> {
  const limit = new AbortController();
  const stop = () => limit.abort();
  const cancel = setTimer(seconds * 1000, stop);
  if (step.aborted) stop();
  else step.addEventListener('abort', stop, { once: true });
  try {
    return await run(command, limit.signal, mode);
  } finally {
    cancel();
    step.removeEventListener('abort', stop);
  }
}

/** Waits `ms`, or less when the step's budget ends before. */
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

/** The rest of the step's budget. */
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

/** The reason of a failed call, in words; undefined after a success. */
export function faultOf(outcome: CommandOutcome): string | undefined {
  const ended = outcomeOf(outcome);
  return ended.kind === 'done' ? undefined : ended.reason;
}
