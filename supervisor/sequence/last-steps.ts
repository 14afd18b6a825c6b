// The last steps of plans, by which this host loses its power: the cut of outputs, the power-off, which all groups share, and a restart
// in place of both.
import { kindOf } from '../../shared/domain/actions/table.js';
import type { Plan, PlanStep } from '../../shared/domain/outage/plan.js';
import type { Performers } from './actuator.js';
import { noGuests } from './actuator.js';
import { withinBudget } from './budget.js';
import type { SequencerDependencies } from './dependencies.js';
import type { JournalEntry } from './journal/entries.js';
import type { GroupRecord, Moment } from './journal/fold.js';
import { stepsOf } from './journal/fold.js';
import { recordingObserver } from './event-details.js';
import type { StepOutcome } from './outcome.js';
import { failureOf, hostOutcome, withBoundedText } from './outcome.js';
import { PowerOff } from './phases/power-off.js';
import { Restart } from './phases/restart.js';
import { hasCutHost } from './phases/sent-cuts.js';
import type { SharedSteps } from './shared-steps.js';

export class LastSteps {
  readonly #deps: SequencerDependencies;
  readonly #shared: SharedSteps;
  #powerOff: PowerOff;
  readonly #restart: Restart | null;
  /** The first look has left an output on, of this daemon or a previous one. */
  #hasSkipped: boolean;
  #cutting: Promise<unknown> | undefined;

  constructor(deps: SequencerDependencies, shared: SharedSteps) {
    this.#deps = deps;
    this.#shared = shared;
    this.#powerOff = this.#newPowerOff();
    this.#restart = this.#newRestart();
    this.#hasSkipped = this.#skippedCuts().length > 0;
  }

  /** Continues a power-off, or a restart, that a previous daemon has begun. */
  resume(): void {
    const { powerOff, open } = this.#deps.journal;
    const isRequesterOpen = open.some(({ group }) => powerOff.askedBy.has(group));
    this.#powerOff.resume(powerOff, isRequesterOpen);
    this.#restart?.resume();
  }

  /** The power-off or a restart of this host has been commanded: the daemon may end. */
  get begun(): boolean {
    return this.#powerOff.begun || this.#restart?.isUnderWay === true;
  }

  /** Another outage has its own power-off. */
  replacePowerOff(): void {
    this.#powerOff.supersede();
    this.#powerOff = this.#newPowerOff();
  }

  stop(): void {
    this.#restart?.stop();
    this.#powerOff.stop();
  }

  performers(plan: Plan): Pick<Performers, 'poweroff' | 'poweroffDelegate' | 'upsOutputOff'> {
    const { performers } = this.#deps;
    return {
      poweroff: (_, step, signal) => this.#perform(plan, step, signal),
      poweroffDelegate: (_, step, signal) => this.#perform(plan, step, signal),
      upsOutputOff: ({ ups }, step, signal) => {
        const sinceMs = this.#moment().atMs;
        // The request of another sequence may end first, unsuccessfully: this one has what is left of its own budget.
        const rest = (): PlanStep => {
          const left = step.budgetSeconds - (this.#moment().atMs - sinceMs) / 1000;
          return { ...step, budgetSeconds: Math.max(0, left) };
        };
        return this.#shared.once(step, signal, () => {
          const reason = this.#restart?.keepsOutput(plan, ups) ?? null;
          if (reason !== null) {
            this.#hasSkipped = true;
            return Promise.resolve({ kind: 'skipped', reason, cutsLater: true });
          }
          return this.#cut(ups, rest(), signal, performers.upsOutputOff);
        });
      },
    };
  }

  #perform(plan: Plan, step: PlanStep, signal: AbortSignal): Promise<StepOutcome> {
    const { group } = plan;
    const now = (): Promise<StepOutcome> => {
      if (!signal.aborted) return this.#powerOff.perform(group, step, signal);
      // The restart took the budget of the step.
      this.#powerOff.performLater(step);
      return Promise.resolve(failureOf('its budget was used up by the restart'));
    };
    const { guard } = this.#deps;
    const restart = this.#restart;
    if (restart === null) return now();
    guard.run('the request for the power-off', () => this.#powerOff.ask(group, step));
    const chosen = restart.perform(plan, step, signal);
    if (chosen === null && !this.#hasSkipped) return now();
    const last = chosen ?? Promise.resolve({ kind: 'powerOff', cutsFirst: true } as const);
    return last.then(async (end) => {
      if (end.kind === 'over') return end.outcome;
      // One of an outage before, whose answer a killed daemon has lost, may come still.
      if (end.cutsFirst && !restart.isUnderWay) await (this.#cutting ??= this.#cutAfterAll());
      return now();
    });
  }

  #cut(
    ups: string,
    step: PlanStep,
    signal: AbortSignal,
    perform: Performers['upsOutputOff'],
  ): Promise<StepOutcome> {
    const { action } = step;
    if (action.kind !== 'upsOutputOff') return Promise.resolve(failureOf('no output'));
    const act = () => perform(action, step, signal, noGuests);
    return this.#restart === null ? act() : this.#restart.cuts.watch(ups, act);
  }

  /** Of all groups that power this host off: none is left when it goes. */
  #skippedCuts(): readonly { readonly record: GroupRecord; readonly step: PlanStep }[] {
    return this.#deps.journal.open.flatMap((record) =>
      stepsOf(record.plan)
        .filter(({ id }) => {
          const outcome = record.steps.get(id)?.ended?.outcome;
          return outcome?.kind === 'skipped' && outcome.cutsLater === true;
        })
        .map((step) => ({ record, step })),
    );
  }

  /** The first look left the outputs on, and power has failed again since. In the journal as the step that it is. */
  async #cutAfterAll(): Promise<void> {
    const { guard, performers, setTimer, record } = this.#deps;
    const cuts = this.#skippedCuts().map(async ({ record: { group, plan }, step }) => {
      const ups = kindOf(step.action).outputOf(step.action) ?? '';
      this.#write({ kind: 'stepBegan', group, step: step.id, ...this.#moment() });
      const perform = (_: PlanStep, budget: AbortSignal) =>
        this.#shared.once(step, budget, () => this.#cut(ups, step, budget, performers.upsOutputOff));
      const outcome = withBoundedText(await withinBudget(step, { perform }, setTimer));
      this.#write({ kind: 'stepEnded', group, step: step.id, outcome, ...this.#moment() });
      if (outcome.kind === 'failed')
        guard.run('the event of a cut', () =>
          recordingObserver(plan, record).stepFailed(step, outcome.reason),
        );
    });
    this.#hasSkipped = false;
    await Promise.all(cuts);
    this.#cutting = undefined;
  }

  #write(entry: JournalEntry): void {
    this.#deps.guard.run('the journal', () => this.#deps.journal.write(entry));
  }

  #newPowerOff(): PowerOff {
    const { setTimer, powerIsBack, isSeen, isSeenOnBattery, journal } = this.#deps;
    const isCut = () => hasCutHost(journal, this.#moment().atMs);
    return new PowerOff({
      attempt: (step, signal) => this.#attempt(step, signal),
      setTimer,
      write: (entry) => journal.write(entry),
      failed: (reason) => this.#failed(reason),
      // A reading from before a restart does not call a decided power-off off, nor does power that is cut in a moment.
      powerIsBack: (group) => isSeen(group) && powerIsBack(group) && !isCut(),
      isSeenOnBattery: (group) => isSeenOnBattery(group) || isCut(),
    });
  }

  #newRestart(): Restart | null {
    const { restarts, powerIsBack, isSeen, journal } = this.#deps;
    if (restarts === undefined) return null;
    return new Restart({
      ...this.#deps,
      restarts,
      powerIsBack: (group) => isSeen(group) && powerIsBack(group),
      attempt: (step, signal) => this.#attempt(step, signal),
      write: (entry) => journal.write(entry),
      giveUp: (reason, outcome) => this.#powerOff.giveUp(reason, outcome),
      powerOff: (reason) => {
        this.#failed(reason);
        const { step } = journal.powerOff;
        if (step !== null) this.#powerOff.performLater(step);
      },
    });
  }

  #failed(reason: string): void {
    this.#deps.record('daemon', 'SHUTDOWN_STEP_FAILED', `power-off of this host: ${reason}`);
  }

  async #attempt(step: PlanStep, signal: AbortSignal): Promise<StepOutcome> {
    const { run, performers } = this.#deps;
    const { action } = step;
    if (action.kind === 'poweroff') return hostOutcome(await run(action.command, signal));
    if (action.kind === 'poweroffDelegate')
      return performers.poweroffDelegate(action, step, signal, noGuests);
    return failureOf(`${action.kind} is not a power-off`);
  }

  #moment(): Moment {
    const { clock } = this.#deps;
    return { atMs: clock.monotonicMs(), unixSeconds: clock.wallSeconds() };
  }
}
