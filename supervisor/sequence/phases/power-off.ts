// The last step: powers off this host, once, whoever asks; tries again while it fails, and looks whether it worked.
import type { CommandLine, StepAction } from '../../../shared/domain/plan.js';
import type { CommandOutcome } from '../command.js';
import type { StepOutcome } from '../outcome.js';
import { outcomeOf } from '../outcome.js';

/** Contract 4, "The poweroff": again 5 s after a failure, the fallback after the third, once more when still up after 120 s. */
const retryMs = 5_000;
const triesBeforeFallback = 3;
const verifyMs = 120_000;
/** Each try after the first has the step's own budget again. */
const tryMs = 30_000;

type PowerOffAction = Extract<StepAction, { kind: 'poweroff' }>;

export interface PowerOffTools {
  readonly run: (command: CommandLine, signal: AbortSignal) => Promise<CommandOutcome>;
  /** An appointment that can be taken back by calling what it returns; a fake one in tests. */
  readonly later: (ms: number, then: () => void) => () => void;
  /** A try has failed, or the host is still up: to be recorded and told to people. */
  readonly failed: (reason: string) => void;
  /** Every group that asked for it has its power back, confirmed: asked before each further try. */
  readonly powerIsBack: () => boolean;
}

/**
 * Power-off of this host. Several groups may reach their last step: the first one runs the command, the others share
 * its outcome, so that there is one power-off. Tries go on after the step has been reported, until the power is back:
 * somebody who then mends a command that failed must not find the host powered off by it.
 */
export class PowerOff {
  readonly #tools: PowerOffTools;
  #first: Promise<StepOutcome> | undefined;
  #tries = 0;
  #cancelAppointment: (() => void) | undefined;
  #stopped = false;

  constructor(tools: PowerOffTools) {
    this.#tools = tools;
  }

  /** The command was started: from then on a SIGTERM ends the daemon (contract 4). */
  get begun(): boolean {
    return this.#first !== undefined;
  }

  perform(action: PowerOffAction, signal: AbortSignal): Promise<StepOutcome> {
    this.#first ??= this.#try(action, signal);
    return this.#first;
  }

  /** The daemon ends, or another power-off takes over: no more tries. */
  stop(): void {
    this.#stopped = true;
    this.#cancelAppointment?.();
  }

  async #try(action: PowerOffAction, signal: AbortSignal): Promise<StepOutcome> {
    this.#tries += 1;
    const fallback = this.#tries > triesBeforeFallback ? action.fallback : null;
    const command = fallback ?? action.command;
    const outcome = outcomeOf(await this.#tools.run(command, signal));
    if (outcome.kind === 'failed') {
      this.#tools.failed(
        `${command.join(' ')}: ${outcome.reason}; trying again in ${String(retryMs / 1000)} s`,
      );
      this.#appoint(retryMs, () => this.#tryAgain(action, command));
    } else this.#appoint(verifyMs, () => this.#onceMore(command));
    return outcome;
  }

  #tryAgain(action: PowerOffAction, failed: CommandLine): void {
    if (this.#tools.powerIsBack())
      this.#tools.failed(
        `${failed.join(' ')} is not tried again: power is back, and this host stays up; start what was stopped on it`,
      );
    else void this.#within(tryMs, (budget) => this.#try(action, budget));
  }

  #onceMore(command: CommandLine): void {
    this.#tools.failed(
      `this host is still up ${String(verifyMs / 1000)} s after ${command.join(' ')} succeeded; running it once more`,
    );
    void this.#within(tryMs, (budget) => this.#tools.run(command, budget));
  }

  /** What `work` does has this long: at its end the signal is aborted. */
  async #within(ms: number, work: (budget: AbortSignal) => Promise<unknown>): Promise<void> {
    const budget = new AbortController();
    const takeBack = this.#tools.later(ms, () => budget.abort());
    await work(budget.signal);
    takeBack();
  }

  #appoint(ms: number, then: () => void): void {
    if (this.#stopped) return;
    this.#cancelAppointment = this.#tools.later(ms, then);
  }
}
