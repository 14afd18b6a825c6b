// All sequences of this daemon: the plan of every group, the running sequences, and those to resume after a restart.
import type { Plan, PlanStep } from '../../shared/domain/plan.js';
import type { SequenceModel } from '../../shared/domain/status-model.js';
import type { Performers } from './actuator.js';
import { realActuator, dryRunActuator } from './actuator.js';
import { PendingRecovery } from './pending-recovery.js';
import { ConcurrentShutdown, takesPowerFrom } from './concurrent-shutdown.js';
import type { PowerOffHistory, SequenceHistory } from './journal/history.js';
import { isCommitted } from './journal/history.js';
import type { Journal } from './journal/journal.js';
import type { Cause } from './journal/record.js';
import type { StepOutcome } from './outcome.js';
import { failed, outcomeOf } from './outcome.js';
import { PowerOff } from './phases/power-off.js';
import { broadcast } from './phases/wall.js';
import type { PastProgress } from './run.js';
import { Sequence } from './run.js';
import { recordEnd, recordingObserver } from './messages.js';
import type { SequencesDependencies } from './dependencies.js';

/** The id before the first shutdown. */
const noShutdown = 'none';

export class Sequences {
  readonly #deps: SequencesDependencies;
  #plans: ReadonlyMap<string, Plan> = new Map();
  readonly #running = new Map<string, Sequence>();
  #lastEnded: Sequence | undefined;
  #shutdown: ConcurrentShutdown;
  /** Every sequence of it had ended before this daemon started, or there is none yet. */
  #isShutdownOver = true;
  /** Groups of this shutdown that a previous daemon left open: each is resumed or dropped. */
  readonly #pending: PendingRecovery;
  /** The plans in the journals of the open sequences. */
  #openPlans: ReadonlyMap<string, Plan> = new Map();
  /** The last started power-off; it may still make attempts. Only another power-off replaces it. */
  #activePowerOff: PowerOff | undefined;

  constructor(deps: SequencesDependencies) {
    this.#deps = deps;
    this.#pending = new PendingRecovery(deps.setTimer);
    this.#shutdown = this.#newShutdown(noShutdown);
  }

  /** Loads the plans of a configuration. A running sequence keeps its plan. */
  load(plans: readonly Plan[]): void {
    this.#plans = new Map(plans.map((plan) => [plan.group, plan]));
    this.#deps.guard.run('what outputs feed', () => this.#deps.fedLoads.loaded(plans));
  }

  /** The plan that a shutdown would run. For a member of a redundancy group it is the plan of that group. */
  planOf(group: string): Plan | undefined {
    return this.#plans.get(group) ?? [...this.#plans.values()].find(({ fedBy }) => fedBy.includes(group));
  }

  get active(): boolean {
    return this.#running.size > 0;
  }

  /** The group has a plan, and no sequence of it runs. */
  isIdle(group: string): boolean {
    return this.#plans.has(group) && !this.#running.has(group);
  }

  /** The power-off of this host has started: the daemon may end. */
  get powerOffBegun(): boolean {
    return this.#shutdown.powerOff.begun;
  }

  /** Starts the group's plan, with its first command, before it returns. False: no sequence was started. */
  start(group: string, cause: Cause): boolean {
    return this.startTogether([{ group, cause }]);
  }

  /** Starts groups that fired in the same step. Registers all of them before the first one determines its gates. */
  startTogether(requests: readonly { readonly group: string; readonly cause: Cause }[]): boolean {
    const { guard } = this.#deps;
    const sequences = requests.map(({ group, cause }) => {
      let sequence: Sequence | undefined;
      const isKnown = guard.run(`the start of ${group}`, () => (sequence = this.#prepare(group, cause)));
      // The next tick repeats the start. Until then the power-off of the others must wait for its servers.
      if (!isKnown) this.#pending.add(group);
      return sequence;
    });
    for (const sequence of sequences) sequence?.start();
    return !sequences.includes(undefined);
  }

  #prepare(group: string, cause: Cause): Sequence | undefined {
    const hadPending = !this.#pending.isEmpty;
    this.#pending.settled(group);
    const plan = this.#plans.get(group);
    if (plan === undefined || this.#running.has(group)) return undefined;
    const { clock, journals, log } = this.#deps;
    const startedMs = clock.monotonicMs();
    // Sequences that run at the same time share one shutdown with those that a restart left open; a later one is separate.
    if (!this.active && (!hadPending || this.#isShutdownOver)) {
      this.#shutdown = this.#newShutdown(`${group} at ${String(startedMs)}`);
      this.#isShutdownOver = false;
    }
    if (this.#pending.isEmpty) this.#shutdown.sequenceStarting(plan);
    const journal = journals.begin(`sequence-${group}`, {
      kind: 'sequence',
      group,
      cause,
      company: this.#shutdown.id,
      plan,
      startedMs,
      startedUnixSeconds: clock.wallSeconds(),
    });
    const mode = plan.dryRun ? ' (dry run: no step is run)' : '';
    log.warning(`shutdown sequence of ${plan.label} started${mode}: ${cause.trigger}: ${cause.why}`, {
      category: 'shutdown',
      group,
    });
    return this.#createSequence(plan, journal);
  }

  /**
   * Restores the work of previous daemons on this boot: does not shut servers down again, and continues a started power-off.
   * Called before any start or resumption. A sequence that starts before the `pending` groups are resumed or dropped shares
   * their shutdown.
   */
  restore(
    sequences: readonly SequenceHistory[],
    powerOff: PowerOffHistory | undefined,
    pending: readonly string[],
  ): void {
    this.#pending.setGroups(pending);
    const { guard, fedLoads } = this.#deps;
    guard.run('what is off', () => sequences.forEach((one) => fedLoads.restored(one, isCommitted(one))));
    const open = sequences.filter(({ over }) => over === null);
    this.#openPlans = new Map(open.map(({ header }) => [header.group, header.plan]));
    const id = open[0]?.header.company ?? powerOff?.header.company;
    if (id === undefined) return;
    this.#isShutdownOver = open.length === 0;
    this.#shutdown = this.#newShutdown(id);
    if (powerOff?.header.company === id) {
      const isRequesterOpen = open.some(({ header }) => powerOff.requestedBy.has(header.group));
      this.#shutdown.powerOff.resume(powerOff, isRequesterOpen);
      if (this.#shutdown.powerOff.begun) this.#activePowerOff = this.#shutdown.powerOff;
    }
    for (const sequence of sequences) if (sequence.header.company === id) this.#shutdown.restore(sequence);
  }

  /** Resumes a sequence at its first unfinished step. False: a sequence of the group runs already. */
  resume(history: SequenceHistory): boolean {
    const { header, steps, phasesEnded, found } = history;
    this.#pending.settled(header.group);
    if (this.#running.has(header.group)) return false;
    const { startedUnixSeconds, plan } = header;
    const past = { startedUnixSeconds, committed: isCommitted(history), steps, phasesEnded };
    this.#deps.log.warning(`shutdown sequence of ${plan.label} continues where it was interrupted`, {
      category: 'shutdown',
      group: plan.group,
    });
    this.#createSequence(plan, this.#deps.journals.resume(found), past).start();
    return true;
  }

  /** Cancels a sequence of a previous daemon before its point of no return. */
  drop({ found, header }: SequenceHistory, reason: string): void {
    this.#pending.settled(header.group);
    const { clock, journals } = this.#deps;
    const moment = { atMs: clock.monotonicMs(), unixSeconds: clock.wallSeconds() };
    journals.resume(found).write({ kind: 'over', cancelled: reason, ...moment });
  }

  /** Drops a request of a previous daemon for which no sequence was started. */
  dismiss(group: string): void {
    this.#pending.settled(group);
  }

  /** The gate of a step: first the pending groups that it would cut power from, then the running ones. */
  #gate(shutdown: ConcurrentShutdown, group: string, step: PlanStep): Promise<void> | null {
    const settled = this.#pending.whenSettled(
      (other) => other !== group && this.#plansOfPending(other).some((plan) => takesPowerFrom(step, plan)),
    );
    return settled === null
      ? shutdown.gate(group, step)
      : settled.then(() => shutdown.gate(group, step) ?? undefined);
  }

  /** The plans that a pending group may run when it is resumed. */
  #plansOfPending(group: string): readonly Plan[] {
    return [this.#openPlans.get(group), this.#plans.get(group)].flatMap((plan) => plan ?? []);
  }

  powerReturned(group: string): void {
    this.#running.get(group)?.powerReturned();
  }

  /** Cancels every running sequence that has not passed its point of no return; returns their groups. */
  cancel(principal: string): readonly string[] {
    const running = [...this.#running].filter(([, sequence]) => sequence.cancel(`cancelled by ${principal}`));
    return running.map(([group]) => group);
  }

  model(): SequenceModel {
    return ([...this.#running.values()].at(-1) ?? this.#lastEnded)?.model() ?? { active: false };
  }

  stop(): void {
    this.#shutdown.powerOff.stop();
    this.#activePowerOff?.stop();
  }

  #createSequence(plan: Plan, journal: Journal, past?: PastProgress): Sequence {
    const { guard, clock, setTimer, log, record, changed, powerIsBack } = this.#deps;
    const { group } = plan;
    const shutdown = this.#shutdown;
    const sequence: Sequence = new Sequence(
      plan,
      {
        guard,
        clock,
        setTimer,
        journal,
        actuator: plan.dryRun ? dryRunActuator(log) : realActuator(this.#performers(plan, shutdown)),
        gate: (step) => this.#gate(shutdown, group, step),
        commandedSinceMs: (step) => shutdown.commandedSinceMs(step),
        powerIsBack: () => powerIsBack(group),
        observer: {
          ...recordingObserver(plan, record),
          changed,
          finished: () => {
            this.#running.delete(group);
            this.#lastEnded = sequence;
            shutdown.remove(group);
            guard.run('the last event of a sequence', () => recordEnd(plan, sequence, record));
            this.#deps.ended(group, sequence.state.kind === 'cancelled');
          },
        },
      },
      past,
    );
    this.#running.set(group, sequence);
    guard.run('what outputs feed', () => this.#deps.fedLoads.began(sequence));
    shutdown.add(group, sequence);
    return sequence;
  }

  /** The engine's performers, with the wrappers that sequences share. */
  #performers({ group }: Plan, shutdown: ConcurrentShutdown): Performers {
    const { run, performers } = this.#deps;
    const { remote } = performers;
    const powerOff = (step: PlanStep, signal: AbortSignal) =>
      this.#activate(shutdown.powerOff).perform(group, step, signal);
    return {
      ...performers,
      wall: ({ message }, _, signal) => broadcast(run, message, signal),
      upsOutputOff: (action, step, signal) =>
        shutdown.once(action, signal, () => performers.upsOutputOff(action, step, signal)),
      poweroff: (_, step, signal) => powerOff(step, signal),
      poweroffDelegate: (_, step, signal) => powerOff(step, signal),
      remote: (action, step, signal) => shutdown.once(action, signal, () => remote(action, step, signal)),
    };
  }

  /** Stops the power-off of an earlier outage, which may still make attempts. */
  #activate(powerOff: PowerOff): PowerOff {
    if (this.#activePowerOff !== powerOff) this.#activePowerOff?.stop();
    this.#activePowerOff = powerOff;
    return powerOff;
  }

  #newShutdown(id: string): ConcurrentShutdown {
    const { setTimer, record, powerIsBack, isSeenOnBattery, journals } = this.#deps;
    const powerOff = () =>
      new PowerOff({
        attempt: (step, signal) => this.#attemptPowerOff(step, signal),
        setTimer,
        journals,
        shutdownId: id,
        failed: (reason) => record('daemon', 'SHUTDOWN_STEP_FAILED', `power-off of this host: ${reason}`),
        powerIsBack,
        isSeenOnBattery,
      });
    return new ConcurrentShutdown(id, powerOff);
  }

  async #attemptPowerOff(step: PlanStep, signal: AbortSignal): Promise<StepOutcome> {
    const { run, performers } = this.#deps;
    const { action } = step;
    if (action.kind === 'poweroff') return outcomeOf(await run(action.command, signal));
    if (action.kind === 'poweroffDelegate') return performers.poweroffDelegate(action, step, signal);
    return failed(`${action.kind} is not a power-off`);
  }
}
