// The waits of a sequence for servers to be off: since when each counts, whether there is anything to wait for, and their
// end when the battery leaves no time. A wait is a step of the plan; run.ts runs it.
import type { PlanStep } from '../../shared/domain/plan.js';
import type { SetTimer } from '../host/timer.js';
import type { StepRecord } from './journal/fold.js';
import type { StepOutcome } from './outcome.js';

/** As often as the engine ticks. */
const checkMs = 250;

interface CommandEnd {
  readonly outcome: StepOutcome;
  readonly atMs: number;
}

export class Waits {
  readonly #noWait: (step: PlanStep) => string | null;
  readonly #setTimer: SetTimer;
  /** The ends of all steps, by id. */
  readonly #ends = new Map<string, CommandEnd>();

  constructor(
    tools: { readonly noWait: (step: PlanStep) => string | null; readonly setTimer: SetTimer },
    past: ReadonlyMap<string, StepRecord> = new Map(),
  ) {
    this.#noWait = tools.noWait;
    this.#setTimer = tools.setTimer;
    for (const [id, { ended }] of past) if (ended !== null) this.#ends.set(id, ended);
  }

  ended(id: string, outcome: StepOutcome, atMs: number): void {
    this.#ends.set(id, { outcome, atMs });
  }

  /** The end of the command that the step waits for; undefined for any other step. */
  sinceMs({ action }: PlanStep): number | undefined {
    return action.kind === 'awaitOff' ? this.#ends.get(action.commandedBy)?.atMs : undefined;
  }

  /** Aborts, at once if so, with the reason why there is nothing to wait for or no time. Until `stop`. */
  watch(step: PlanStep): { readonly signal: AbortSignal; readonly stop: () => void } {
    const controller = new AbortController();
    let cancel = (): void => undefined;
    const check = (): void => {
      const reason = this.#reasonToEnd(step);
      if (reason === null) cancel = this.#setTimer(checkMs, check);
      else controller.abort(reason);
    };
    if (step.action.kind === 'awaitOff') check();
    return { signal: controller.signal, stop: () => cancel() };
  }

  #reasonToEnd(step: PlanStep): string | null {
    const { action } = step;
    if (action.kind !== 'awaitOff') return null;
    const command = this.#ends.get(action.commandedBy)?.outcome;
    const isUncommanded = ({ neverSent, maybeSent }: Extract<StepOutcome, { kind: 'failed' }>): boolean =>
      neverSent === true && maybeSent !== true;
    if (command === undefined || (command.kind === 'failed' && isUncommanded(command)))
      return `${action.server} did not get its command`;
    const reason = this.#noWait(step);
    return reason === null ? null : `no wait: ${reason}`;
  }
}
