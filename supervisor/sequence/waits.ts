// The waits of a sequence for servers to be off: since when each counts, whether there is anything to wait for, and their
// end when the battery leaves no time. A wait is a step of the plan; run.ts runs it.
import type { PlanStep } from '../../shared/domain/outage/plan.js';
import type { StepRecord } from './journal/fold.js';
import type { ActionOf } from '../../shared/domain/actions/table.js';
import type { SetTimer } from '../host/timer.js';
import type { StepOutcome } from './outcome.js';
import { isUnsent } from './outcome.js';

/** As often as the engine ticks. */
const checkMs = 250;

interface CommandEnd {
  readonly outcome: StepOutcome;
  readonly atMs: number;
}

interface WaitDependencies {
  readonly noWait: (step: PlanStep) => string | null;
  readonly setTimer: SetTimer;
  /** How and when the server got its command, in whichever sequence. */
  readonly serverEnd: (server: string) => CommandEnd | null | undefined;
}

export class Waits {
  readonly #deps: WaitDependencies;
  /** The ends of all steps, by id. */
  readonly #ends = new Map<string, CommandEnd>();

  constructor(deps: WaitDependencies, past: ReadonlyMap<string, StepRecord> = new Map()) {
    this.#deps = deps;
    for (const [id, { ended }] of past) if (ended !== null) this.#ends.set(id, ended);
  }

  ended(id: string, outcome: StepOutcome, atMs: number): void {
    this.#ends.set(id, { outcome, atMs });
  }

  /** The end of the command that the step waits for, in whichever sequence; undefined for any other step. */
  sinceMs({ action }: PlanStep): number | undefined {
    return action.kind === 'awaitOff' ? this.#endOf(action)?.atMs : undefined;
  }

  /** Aborts, at once if so, with the reason why there is nothing to wait for or no time. Until `stop`. */
  watch(step: PlanStep): { readonly signal: AbortSignal; readonly stop: () => void } {
    const controller = new AbortController();
    let cancel = (): void => undefined;
    const check = (): void => {
      const reason = this.#reasonToEnd(step);
      if (reason === null) cancel = this.#deps.setTimer(checkMs, check);
      else controller.abort(reason);
    };
    if (step.action.kind === 'awaitOff') check();
    return { signal: controller.signal, stop: () => cancel() };
  }

  #reasonToEnd(step: PlanStep): string | null {
    const { action } = step;
    if (action.kind !== 'awaitOff') return null;
    const command = this.#endOf(action)?.outcome;
    if (command === undefined || (isUnsent(command) && command.maybeSent !== true))
      return `${action.server} did not get its command`;
    const reason = this.#deps.noWait(step);
    return reason === null ? null : `no wait: ${reason}`;
  }

  /** Another sequence, or a try of it, may have commanded the server since this one could not. */
  #endOf({ server, commandedBy }: ActionOf<'awaitOff'>): CommandEnd | undefined {
    return this.#deps.serverEnd(server) ?? this.#ends.get(commandedBy);
  }
}
