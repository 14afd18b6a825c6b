// All sequences of this daemon: the plan of every group, the running sequences, and those to resume after a restart.
import type { Plan } from '../../shared/domain/outage/plan.js';
import type { SequenceModel, SequenceRun } from '../../shared/domain/status/status-model.js';
import { byRequest } from '../events/messages.js';
import type { Actuator, Performers } from './actuator.js';
import { noGuests, realActuator, dryRunActuator } from './actuator.js';
import { FoundReport } from './found-report.js';
import type { Cause } from './journal/entries.js';
import type { Moment } from './journal/fold.js';
import { noPowerOff } from './journal/power-off-record.js';
import type { Decision } from './journal/record.js';
import type { OpenSequence } from './open-sequences.js';
import { LastSteps } from './last-steps.js';
import { withBoundedText } from './outcome.js';
import { broadcast } from './phases/wall.js';
import type { PastProgress } from './run.js';
import { Sequence } from './run.js';
import { recordEnd, recordingObserver } from './event-details.js';
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
  readonly #lastSteps: LastSteps;

  constructor(deps: SequencerDependencies) {
    this.#deps = deps;
    this.#shared = new SharedSteps(deps.journal, deps);
    this.#found = new FoundReport(deps);
    this.#lastSteps = new LastSteps(deps, this.#shared);
  }

  /** Continues a power-off of this host, or a restart in its place, that a previous daemon has begun. */
  resumePowerOff(): void {
    this.#lastSteps.resume();
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

  /** The power-off of this host has started, or a restart in its place: the daemon may end. */
  get powerOffBegun(): boolean {
    return this.#lastSteps.begun;
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
    if (!write() && !write() && !this.active) this.#lastSteps.replacePowerOff();
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
    if (journal.powerOff === noPowerOff) this.#lastSteps.replacePowerOff();
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
    this.#lastSteps.stop();
  }

  #createSequence(plan: Plan, { trigger }: Cause, past?: PastProgress): Sequence {
    const { guard, clock, setTimer, log, record, changed, powerIsBack, noTimeToWait, journal } = this.#deps;
    const { group } = plan;
    const startedMs = journal.of(group)?.startedMs;
    const sequence: Sequence = new Sequence(
      plan,
      {
        guard,
        clock,
        setTimer,
        write: (entry) => {
          // The end of a step that a cancelled sequence has left says nothing of the next one.
          if (journal.of(group)?.startedMs === startedMs)
            journal.write({ ...entry, group, ...this.#moment() });
        },
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
  #performers(plan: Plan): Performers {
    const { run, performers } = this.#deps;
    const { remote } = performers;
    return {
      ...performers,
      ...this.#lastSteps.performers(plan),
      wall: ({ message }, _, signal) => broadcast(run, message, signal),
      commandAgain: this.#shared.tries.performer({
        outcomeOf: (server) => this.#shared.outcomeOf(server),
        commanded: (server, outcome) =>
          this.#shared.commanded(server, withBoundedText(outcome), this.#moment()),
        // A try gives the final command alone.
        remote: (action, step, signal) => remote(action, step, signal, noGuests),
      }),
      remote: (action, step, signal, found) =>
        this.#shared.once(step, signal, () => remote(action, step, signal, found)),
    };
  }
}
