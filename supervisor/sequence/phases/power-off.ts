// The last step: powers off this host, once, whoever asks; tries again while it fails, and looks whether it worked.
// Every try is written down: a restart of the daemon neither forgets one nor repeats one that has worked.
import type { PlanStep } from '../../../shared/domain/plan.js';
import { remoteCommands } from '../action-words.js';
import type { SetTimer } from '../budget.js';
import { withinBudget } from '../budget.js';
import type { PowerOffHistory } from '../journal/summary.js';
import type { Journal, JournalStore } from '../journal/journal.js';
import type { StepOutcome } from '../outcome.js';
import { failed } from '../outcome.js';

/** Retries: specification/sequence.md#power-off. */
const retryMs = 5_000;
const triesBeforeFallback = 3;
const verifyMs = 120_000;
/** A restarted daemon looks at the power first, as a sequence does that is taken up, and never longer than this. */
const longestLookMs = 15_000;
const lookMs = 500;

export interface PowerOffDependencies {
  /** One try; a step of kind `poweroff` or `poweroffDelegate`, with the fallback in place of the command where it is its turn. */
  readonly attempt: (step: PlanStep, signal: AbortSignal) => Promise<StepOutcome>;
  readonly setTimer: SetTimer;
  readonly journals: Pick<JournalStore, 'begin' | 'resume'>;
  /** The sequences that share it. */
  readonly company: string;
  /** A try has failed, or the host is still up: to be recorded and told to people. */
  readonly failed: (reason: string) => void;
  /** The group has its power back, confirmed: asked before each further try. */
  readonly powerIsBack: (group: string) => boolean;
  /** A reading of this daemon's own shows the group on battery. */
  readonly isSeenOnBattery: (group: string) => boolean;
}

/**
 * Power-off of this host. Several groups may reach their last step: the first one runs the command, the others share
 * its outcome, so that there is one power-off. Tries go on after the step has been reported, until the power is back:
 * somebody who then mends a command that failed must not find the host powered off by it.
 */
export class PowerOff {
  readonly #tools: PowerOffDependencies;
  readonly #askedBy = new Set<string>();
  #journal: Journal | undefined;
  #first: Promise<StepOutcome> | undefined;
  #tries = 0;
  #cancelTimer: (() => void) | undefined;
  #stopped = false;

  constructor(tools: PowerOffDependencies) {
    this.#tools = tools;
  }

  /** The command was started: from now on a SIGTERM ends the daemon (specification/sequence.md#sigterm). */
  get begun(): boolean {
    return this.#first !== undefined;
  }

  /**
   * Goes on where a daemon before this one was: not at all once a try has worked, and with the next try after a failure.
   * `comesBack`: a sequence that had come to it is open, and is taken up as well.
   */
  resume(
    { found, header: { step }, requestedBy, tries, last, abandoned }: PowerOffHistory,
    comesBack: boolean,
  ): void {
    this.#journal = this.#tools.journals.resume(found);
    for (const group of requestedBy) this.#askedBy.add(group);
    const wasRunning = last === null && tries > 0;
    this.#tries = wasRunning ? tries - 1 : tries;
    // The first try belongs to the step of a sequence. Where that one's end is written and the try's is not, it goes on here.
    if (this.#tries === 0 && (comesBack || !wasRunning || requestedBy.size === 0)) return;
    this.#first = Promise.resolve(last ?? failed('the try before the restart of the daemon failed'));
    if (abandoned || last?.kind === 'done') return;
    if (wasRunning) this.#lookAndTry(step, longestLookMs);
    else this.#setTimer(retryMs, () => this.#lookAndTry(step, longestLookMs - retryMs));
  }

  perform(group: string, step: PlanStep, signal: AbortSignal): Promise<StepOutcome> {
    this.#journal ??= this.#tools.journals.begin('power-off', {
      kind: 'powerOff',
      company: this.#tools.company,
      step,
    });
    if (!this.#askedBy.has(group)) this.#journal.write({ kind: 'asked', group });
    this.#askedBy.add(group);
    this.#first ??= this.#try(step, signal);
    return this.#first;
  }

  isAskedBy(group: string): boolean {
    return this.#askedBy.has(group);
  }

  /** Another outage has a power-off of its own. After a restart nothing of this one is known, however its try still ends. */
  supersede(): void {
    this.stop();
    this.#journal?.write({ kind: 'gaveWay' });
    this.#journal = undefined;
  }

  /** The daemon ends, or another power-off takes over: no more tries. */
  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  async #try(step: PlanStep, signal: AbortSignal): Promise<StepOutcome> {
    this.#tries += 1;
    const number = this.#tries;
    const now = number > triesBeforeFallback ? withFallback(step) : step;
    this.#journal?.write({ kind: 'tryBegan', number });
    const outcome = await this.#attempt(now, signal);
    this.#journal?.write({ kind: 'tryEnded', number, outcome });
    if (outcome.kind === 'failed') {
      this.#setTimer(retryMs, () => this.#tryAgain(step));
      this.#tools.failed(`${words(now)}: ${outcome.reason}; trying again in ${String(retryMs / 1000)} s`);
    } else this.#setTimer(verifyMs, () => this.#onceMore(now));
    return outcome;
  }

  /** A try that throws has failed, and another one follows it. */
  async #attempt(step: PlanStep, signal: AbortSignal): Promise<StepOutcome> {
    try {
      return await this.#tools.attempt(step, signal);
    } catch (error) {
      return failed(`internal error: ${String(error)}`);
    }
  }

  /** What was decided stands until a fresh reading speaks against it, or `leftMs` have passed without one. */
  #lookAndTry(step: PlanStep, leftMs: number): void {
    const { powerIsBack, isSeenOnBattery } = this.#tools;
    const groups = [...this.#askedBy];
    if (leftMs <= 0 || groups.every(powerIsBack) || groups.some(isSeenOnBattery)) this.#tryAgain(step);
    else this.#setTimer(lookMs, () => this.#lookAndTry(step, leftMs - lookMs));
  }

  #tryAgain(step: PlanStep): void {
    if ([...this.#askedBy].every(this.#tools.powerIsBack)) {
      this.#journal?.write({ kind: 'givenUp' });
      this.#tools.failed(
        `${words(step)} is not tried again: power is back, and this host stays up; start what was stopped on it`,
      );
    } else void this.#within(step, (budget) => this.#try(step, budget));
  }

  #onceMore(step: PlanStep): void {
    this.#tools.failed(
      `this host is still up ${String(verifyMs / 1000)} s after ${words(step)} succeeded; running it once more`,
    );
    void this.#within(step, (budget) => this.#attempt(step, budget));
  }

  /** Each try after the first has the step's own budget again. */
  #within(step: PlanStep, perform: (budget: AbortSignal) => Promise<StepOutcome>): Promise<StepOutcome> {
    return withinBudget(step, { perform: (_, budget) => perform(budget) }, this.#tools.setTimer);
  }

  #setTimer(ms: number, then: () => void): void {
    if (this.#stopped) return;
    this.#cancelTimer = this.#tools.setTimer(ms, then);
  }
}

function withFallback(step: PlanStep): PlanStep {
  const { action } = step;
  if (action.kind === 'poweroff' && action.fallback !== null)
    return { ...step, action: { ...action, command: action.fallback } };
  if (action.kind === 'poweroffDelegate' && action.fallback !== null)
    return { ...step, action: { ...action, work: { ...action.work, final: action.fallback } } };
  return step;
}

/** What is run, as messages name it. */
function words({ action, target }: PlanStep): string {
  if (action.kind === 'poweroff') return action.command.join(' ');
  if (action.kind === 'poweroffDelegate') return `${remoteCommands(action.work).join('; ')} on ${target}`;
  return target;
}
