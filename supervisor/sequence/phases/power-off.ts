// The last step: powers off this host once for all groups, retries while the command fails, and verifies the result. The
// journal records each attempt until one succeeds, which a restarted daemon does not repeat.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import { remoteCommands } from '../../../shared/domain/actions/remote-work.js';
import type { SetTimer } from '../../host/timer.js';
import { untilAbandoned, withinBudget } from '../budget.js';
import type { PowerOffEntry } from '../journal/entries.js';
import type { PowerOffRecord } from '../journal/power-off-record.js';
import type { StepOutcome } from '../outcome.js';
import { failureOf } from '../outcome.js';

/** Retries: specification/sequence.md#power-off. */
const retryMs = 5_000;
const attemptsBeforeFallback = 3;
export const verifyMs = 120_000;
/** A restarted daemon waits this long for a fresh reading before the next attempt, as for a resumed sequence. */
export const maxPowerCheckMs = 15_000;
export const powerCheckMs = 500;

export interface PowerOffDependencies {
  /** One attempt; a step of kind `poweroff` or `poweroffDelegate`, later with the fallback in place of the command. */
  readonly attempt: (step: PlanStep, signal: AbortSignal) => Promise<StepOutcome>;
  readonly setTimer: SetTimer;
  /** Adds an entry to the record. */
  readonly write: (entry: PowerOffEntry) => void;
  /** Records an event: an attempt has failed, or the host still runs. */
  readonly failed: (reason: string) => void;
  /** The return of the group's power is confirmed; checked before each retry. */
  readonly powerIsBack: (group: string) => boolean;
  /** A reading of this daemon, not of a previous one, shows the group on battery. */
  readonly isSeenOnBattery: (group: string) => boolean;
}

/**
 * Power-off of this host. The first group at its last step runs the command; the other groups share the outcome. Retries
 * continue after the end of the step, until power is back: a command that is repaired after the return of power must not power
 * the host off.
 */
export class PowerOff {
  readonly #deps: PowerOffDependencies;
  readonly #requestedBy = new Set<string>();
  #first: Promise<StepOutcome> | undefined;
  #attempts = 0;
  #cancelTimer: (() => void) | undefined;
  #stopped = false;
  #isSuperseded = false;
  /** Until another group asks, whose power may be out. */
  #isGivenUp = false;

  constructor(deps: PowerOffDependencies) {
    this.#deps = deps;
  }

  /** True after the start of the first command, also of one that failed: from then on a SIGTERM ends the daemon (specification/sequence.md#sigterm). */
  get begun(): boolean {
    return this.#first !== undefined;
  }

  /**
   * Continues the power-off of a previous daemon: with the next attempt after a failure, not after a success.
   * `isRequesterOpen`: a sequence that requested it is open and is resumed as well.
   */
  resume({ step, askedBy, attempts, last, givenUp }: PowerOffRecord, isRequesterOpen: boolean): void {
    if (step === null) return;
    for (const group of askedBy) this.#requestedBy.add(group);
    const wasRunning = last === null && attempts > 0;
    this.#attempts = wasRunning ? attempts - 1 : attempts;
    // The first attempt belongs to the step of a sequence. It continues here only when the journal has the end of that
    // sequence and no end of the attempt.
    if (this.#attempts === 0 && (isRequesterOpen || !wasRunning)) return;
    this.#first = Promise.resolve(last ?? failureOf('the attempt before the restart of the daemon failed'));
    this.#isGivenUp = givenUp;
    if (givenUp || last?.kind === 'done') return;
    if (wasRunning) this.#checkPowerThenAttempt(step, maxPowerCheckMs);
    else this.#setTimer(retryMs, () => this.#checkPowerThenAttempt(step, maxPowerCheckMs - retryMs));
  }

  /** The group is at its last step. */
  ask(group: string, step: PlanStep): void {
    if (!this.#requestedBy.has(group)) {
      this.#write({ kind: 'powerOffAsked', group, step });
      if (this.#isGivenUp) this.#first = undefined;
      this.#isGivenUp = false;
    }
    this.#requestedBy.add(group);
  }

  perform(group: string, step: PlanStep, signal: AbortSignal): Promise<StepOutcome> {
    this.ask(group, step);
    this.#first ??= this.#nextAttempt(step, signal);
    return this.#first;
  }

  /** After the step of a sequence has ended without it. */
  performLater(step: PlanStep): void {
    this.#first ??= this.#withinBudget(step, (budget) => this.#nextAttempt(step, budget));
  }

  /** Without an attempt: this host stays up. */
  giveUp(reason: string, outcome: StepOutcome): void {
    if (this.#isGivenUp) return;
    if (this.#requestedBy.size > 0) {
      this.#first ??= Promise.resolve(outcome);
      this.#isGivenUp = true;
      this.#write({ kind: 'givenUp' });
    }
    this.#deps.failed(reason);
  }

  /** Another outage has its own power-off: no more attempts, and no entry of the one that runs. */
  supersede(): void {
    this.stop();
    this.#isSuperseded = true;
  }

  /** Makes no more attempts: the daemon ends, or another power-off replaces this one. */
  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  async #nextAttempt(step: PlanStep, signal: AbortSignal): Promise<StepOutcome> {
    this.#attempts += 1;
    const number = this.#attempts;
    const other = number > attemptsBeforeFallback ? withInstead(step, 'fallback') : null;
    const now = other ?? step;
    this.#write({ kind: 'tryBegan', number });
    const outcome = await this.#attempt(now, signal);
    this.#write({ kind: 'tryEnded', number, outcome });
    if (outcome.kind === 'failed') {
      this.#setTimer(retryMs, () => this.#attemptAgain(step));
      this.#deps.failed(
        `${commandText(now)}: ${outcome.reason}; trying again in ${String(retryMs / 1000)} s`,
      );
    } else this.#setTimer(verifyMs, () => this.#runAgain(now));
    return outcome;
  }

  /** An attempt that throws, or does not end within its budget, has failed; a retry follows. */
  async #attempt(step: PlanStep, signal: AbortSignal): Promise<StepOutcome> {
    try {
      return await Promise.race([this.#deps.attempt(step, signal), untilAbandoned(step, signal)]);
    } catch (error) {
      return failureOf(`internal error: ${String(error)}`);
    }
  }

  /** Waits for a fresh reading, at most `leftMs`; then the next attempt, unless power is back. */
  #checkPowerThenAttempt(step: PlanStep, leftMs: number): void {
    const { powerIsBack, isSeenOnBattery } = this.#deps;
    const groups = [...this.#requestedBy];
    if (leftMs <= 0 || groups.every(powerIsBack) || groups.some(isSeenOnBattery)) this.#attemptAgain(step);
    else this.#setTimer(powerCheckMs, () => this.#checkPowerThenAttempt(step, leftMs - powerCheckMs));
  }

  #attemptAgain(step: PlanStep): void {
    if (this.#givesUp(step)) return;
    void this.#withinBudget(step, (budget) => this.#nextAttempt(step, budget));
  }

  /** Without entries in the journal: a daemon that restarts meanwhile has a power-off that succeeded, and runs nothing. */
  #runAgain(step: PlanStep): void {
    if (this.#givesUp(step)) return;
    this.#deps.failed(
      `this host is still up ${String(verifyMs / 1000)} s after ${commandText(step)} succeeded; running it once more`,
    );
    void this.#withinBudget(step, (budget) => this.#attempt(step, budget));
  }

  /** The power of every group that asked is back. */
  #givesUp(step: PlanStep): boolean {
    if (![...this.#requestedBy].every(this.#deps.powerIsBack)) return false;
    this.#isGivenUp = true;
    this.#write({ kind: 'givenUp' });
    this.#deps.failed(
      `${commandText(step)} is not run again: power is back, and this host stays up; start what was stopped on it and does not start by itself (ridethrough recovery status)`,
    );
    return true;
  }

  /** Each attempt after the first has the step's full budget. */
  #withinBudget(
    step: PlanStep,
    perform: (budget: AbortSignal) => Promise<StepOutcome>,
  ): Promise<StepOutcome> {
    return withinBudget(step, { perform: (_, budget) => perform(budget) }, this.#deps.setTimer);
  }

  #write(entry: PowerOffEntry): void {
    if (!this.#isSuperseded) this.#deps.write(entry);
  }

  #setTimer(ms: number, then: () => void): void {
    if (this.#stopped) return;
    this.#cancelTimer = this.#deps.setTimer(ms, then);
  }
}

/** The power-off with another of its commands in place of the first; null where it has none. */
export function withInstead(step: PlanStep, other: 'fallback' | 'restart'): PlanStep | null {
  const { action } = step;
  if (action.kind === 'poweroff') {
    const command = action[other] ?? null;
    return command === null ? null : { ...step, action: { ...action, command } };
  }
  if (action.kind !== 'poweroffDelegate') return null;
  const final = action[other] ?? null;
  return final === null ? null : { ...step, action: { ...action, work: { ...action.work, final } } };
}

function commandText({ action, target }: PlanStep): string {
  if (action.kind === 'poweroff') return action.command.join(' ');
  if (action.kind === 'poweroffDelegate') return `${remoteCommands(action.work).join('; ')} on ${target}`;
  return target;
}
