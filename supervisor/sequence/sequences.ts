// All sequences of this daemon: the plan of every group, the running sequences, and those to resume after a restart.
import type { Plan, PlanStep } from '../../shared/domain/outage/plan.js';
import type { SequenceModel, SequenceRun } from '../../shared/domain/status/status-model.js';
import { byRequest } from '../events/messages.js';
import type { Actuator, Performers } from './actuator.js';
import { noGuests, realActuator, dryRunActuator } from './actuator.js';
import { FoundReport } from './found-report.js';
import type { Cause } from './journal/entries.js';
import type { Moment } from './journal/fold.js';
import { noPowerOff } from './journal/fold.js';
import type { Decision } from './journal/record.js';
import type { OpenSequence } from './open-sequences.js';
import type { StepOutcome } from './outcome.js';
import { failureOf, outcomeOf, withBoundedText } from './outcome.js';
import { PowerOff } from './phases/power-off.js';
import { broadcast } from './phases/wall.js';
import type { PastProgress } from './run.js';
import { Sequence } from './run.js';
import { recordEnd, recordingObserver } from './messages.js';
import type { SequencerDependencies } from './dependencies.js';
import { SharedSteps } from './shared-steps.js';
import { progressOfSteps } from './step-progress.js';

export class Sequences {
  readonly #deps: SequencerDependencies;
  #plans: ReadonlyMap<string, Plan> = new Map();
  readonly #running = new Map<string, Sequence>();
  /** By group, in the order they began: those that run, and those that ran beside them. */
  readonly #shown = new Map<string, Sequence>();
  readonly #shared: SharedSteps;
  readonly #found: FoundReport;
  #powerOff: PowerOff;

  constructor(deps: SequencerDependencies) {
    this.#deps = deps;
    this.#shared = new SharedSteps(deps.journal, deps);
    this.#found = new FoundReport(deps);
    this.#powerOff = this.#newPowerOff();
  }

  /** Continues a power-off that a previous daemon has begun. */
  resumePowerOff(): void {
    const { powerOff, open } = this.#deps.journal;
    const isRequesterOpen = open.some(({ group }) => powerOff.askedBy.has(group));
    this.#powerOff.resume(powerOff, isRequesterOpen);
  }

  /** Loads the plans of a configuration. A running sequence keeps its plan. */
  load(plans: readonly Plan[]): void {
    this.#plans = new Map(plans.map((plan) => [plan.group, plan]));
  }

  /** The plan that a shutdown would run. For a member of a redundancy group it is the plan of that group. */
  planOf(group: string): Plan | undefined {
    return this.#plans.get(group) ?? [...this.#plans.values()].find(({ fedBy }) => fedBy.includes(group));
  }

  get active(): boolean {
    return this.#running.size > 0;
  }

  /** The group has a plan, or its open sequence has one in the record, and no sequence of it runs. */
  isIdle(group: string): boolean {
    const hasPlan = this.#plans.has(group) || this.#deps.journal.of(group)?.over === null;
    return hasPlan && !this.#running.has(group);
  }

  /** The power-off of this host has started: the daemon may end. */
  get powerOffBegun(): boolean {
    return this.#powerOff.begun;
  }

  /** Starts the plans of groups whose shutdown was decided at the same input, each with its first command, before it returns. */
  start(requests: readonly OpenSequence[]): boolean {
    const decisions = this.decide(requests);
    const { guard } = this.#deps;
    const sequences = decisions.map(({ group, plan, cause }) => {
      let sequence: Sequence | undefined;
      guard.run(`the start of ${group}`, () => (sequence = this.#createSequence(plan, cause)));
      return sequence;
    });
    for (const sequence of sequences) sequence?.start();
    return sequences.length === requests.length && !sequences.includes(undefined);
  }

  /**
   * Writes that the shutdown of these groups is decided, together: from then on each step that cuts power waits for the servers of all of them. A
   * group that is not started then is open.
   */
  decide(requests: readonly OpenSequence[]): readonly Decision[] {
    const { guard } = this.#deps;
    const decisions = requests.flatMap(({ group, cause }) => this.#decisionOf(group, cause) ?? []);
    if (decisions.length === 0) return [];
    const write = () => guard.run('the decision in the journal', () => this.#write(decisions));
    // A sequence runs without its record too, and an earlier power-off must not stand for its own.
    if (!write() && !write() && !this.active) this.#replacePowerOff();
    for (const { group, plan, cause } of decisions)
      guard.run(`the log of ${group}`, () => {
        const mode = plan.dryRun ? ' (dry run: no step is run)' : '';
        const text = `shutdown sequence of ${plan.label} started${mode}: ${cause.trigger}: ${cause.why}`;
        this.#deps.log.warning(text, { category: 'shutdown', group });
      });
    return decisions;
  }

  #decisionOf(group: string, cause: Cause): Decision | null {
    const plan = this.#plans.get(group);
    if (plan === undefined || this.#running.has(group)) return null;
    return { kind: 'decided', group, cause, plan, ...this.#moment() };
  }

  #moment(): Moment {
    const { clock } = this.#deps;
    return { atMs: clock.monotonicMs(), unixSeconds: clock.wallSeconds() };
  }

  #write(decisions: readonly Decision[]): void {
    const { journal, isPast } = this.#deps;
    journal.decide(decisions, isPast);
    this.#shared.decided();
    if (journal.powerOff === noPowerOff) this.#replacePowerOff();
  }

  #replacePowerOff(): void {
    this.#powerOff.supersede();
    this.#powerOff = this.#newPowerOff();
  }

  /** Resumes the open sequence of the group at its first unfinished step. False: there is none, or it runs already. */
  resume(group: string): boolean {
    const known = this.#deps.journal.of(group);
    if (known === undefined || known.over !== null || this.#running.has(group)) return false;
    const { plan, cause, startedUnixSeconds, steps, phasesEnded } = known;
    this.#deps.log.warning(`shutdown sequence of ${plan.label} continues where it was interrupted`, {
      category: 'shutdown',
      group,
    });
    const past = { startedUnixSeconds, steps: new Map(steps), phasesEnded: new Set(phasesEnded) };
    this.#createSequence(plan, cause, past).start();
    return true;
  }

  /** Cancels an open sequence that does not run, before its point of no return. */
  drop(group: string, cancelled: string): void {
    this.#deps.journal.write({ kind: 'over', group, cancelled, ...this.#moment() });
  }

  powerReturned(group: string): void {
    this.#running.get(group)?.powerReturned();
  }

  /** Cancels every running sequence that has not passed its point of no return; returns their groups. */
  cancel(principal: string): readonly string[] {
    const running = [...this.#running].filter(([, sequence]) => sequence.cancel(byRequest + principal));
    return running.map(([group]) => group);
  }

  model(): SequenceModel {
    const shown = [...this.#shown.values()];
    const main = shown.findLast(({ active }) => active) ?? shown.at(-1);
    if (main === undefined) return { active: false };
    const others = shown.filter((sequence) => sequence !== main).map((sequence) => this.#runOf(sequence));
    return { ...this.#runOf(main), others };
  }

  #runOf(sequence: Sequence): SequenceRun {
    const { plan } = sequence;
    return { ...sequence.model(), steps: progressOfSteps(plan, this.#deps.journal.of(plan.group)) };
  }

  stop(): void {
    this.#powerOff.stop();
  }

  #createSequence(plan: Plan, { trigger }: Cause, past?: PastProgress): Sequence {
    const { guard, clock, setTimer, log, record, changed, powerIsBack, noTimeToWait, journal } = this.#deps;
    const { group } = plan;
    const sequence: Sequence = new Sequence(
      plan,
      {
        guard,
        clock,
        setTimer,
        write: (entry) => journal.write({ ...entry, group, ...this.#moment() }),
        actuator: plan.dryRun ? dryRunActuator(log) : this.#realActuator(plan),
        gate: (step) => this.#shared.gate(group, step),
        sharedSinceMs: (step) => this.#shared.commandedSinceMs(step),
        serverEnd: (server) => this.#shared.endOf(server),
        powerIsBack: () => powerIsBack(group),
        noWait: ({ action }) =>
          action.kind === 'awaitOff' ? noTimeToWait(group, trigger, action.followsSeconds) : null,
        observer: {
          ...recordingObserver(plan, record),
          changed,
          finished: () => {
            this.#running.delete(group);
            guard.run('the last event of a sequence', () => recordEnd(plan, sequence, record));
            this.#deps.ended(group, sequence.state.kind === 'cancelled');
          },
        },
      },
      past,
    );
    if (!this.active) this.#shown.clear();
    this.#shown.delete(group);
    this.#shown.set(group, sequence);
    this.#running.set(group, sequence);
    return sequence;
  }

  #realActuator(plan: Plan): Actuator {
    return realActuator(this.#performers(plan), (step, guests) =>
      this.#found.report(plan.group, step, guests),
    );
  }

  /** The engine's performers, with the wrappers that sequences share. */
  #performers({ group }: Plan): Performers {
    const { run, performers } = this.#deps;
    const { remote } = performers;
    const powerOff = (step: PlanStep, signal: AbortSignal) => this.#powerOff.perform(group, step, signal);
    return {
      ...performers,
      wall: ({ message }, _, signal) => broadcast(run, message, signal),
      poweroff: (_, step, signal) => powerOff(step, signal),
      poweroffDelegate: (_, step, signal) => powerOff(step, signal),
      commandAgain: this.#shared.tries.performer({
        outcomeOf: (server) => this.#shared.outcomeOf(server),
        commanded: (server, outcome) =>
          this.#shared.commanded(server, withBoundedText(outcome), this.#moment()),
        // A try gives the final command alone.
        remote: (action, step, signal) => remote(action, step, signal, noGuests),
      }),
      remote: (action, step, signal, found) =>
        this.#shared.once(step, signal, () => remote(action, step, signal, found)),
      upsOutputOff: (action, step, signal) => {
        const sinceMs = this.#moment().atMs;
        // The request of another sequence may end first, unsuccessfully: this one has what is left of its own budget.
        const rest = (): PlanStep => {
          const left = step.budgetSeconds - (this.#moment().atMs - sinceMs) / 1000;
          return { ...step, budgetSeconds: Math.max(0, left) };
        };
        return this.#shared.once(step, signal, () =>
          performers.upsOutputOff(action, rest(), signal, noGuests),
        );
      },
    };
  }

  #newPowerOff(): PowerOff {
    const { setTimer, record, powerIsBack, isSeen, isSeenOnBattery, journal } = this.#deps;
    return new PowerOff({
      attempt: (step, signal) => this.#attemptPowerOff(step, signal),
      setTimer,
      write: (entry) => journal.write(entry),
      failed: (reason) => record('daemon', 'SHUTDOWN_STEP_FAILED', `power-off of this host: ${reason}`),
      // A reading from before a restart does not call a decided power-off off.
      powerIsBack: (group) => isSeen(group) && powerIsBack(group),
      isSeenOnBattery,
    });
  }

  async #attemptPowerOff(step: PlanStep, signal: AbortSignal): Promise<StepOutcome> {
    const { run, performers } = this.#deps;
    const { action } = step;
    if (action.kind === 'poweroff') return outcomeOf(await run(action.command, signal));
    if (action.kind === 'poweroffDelegate')
      return performers.poweroffDelegate(action, step, signal, noGuests);
    return failureOf(`${action.kind} is not a power-off`);
  }
}
