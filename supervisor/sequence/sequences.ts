// All sequences of this daemon: the plan of every group, which of them run, and what of them is left to a next daemon.
import type { Plan, PlanStep } from '../../shared/domain/plan.js';
import type { SequenceModel } from '../../shared/domain/status-model.js';
import type { Performers } from './actuator.js';
import { realActuator, rehearsal } from './actuator.js';
import { PendingRecovery } from './pending-recovery.js';
import { ConcurrentShutdown, takesPowerFrom } from './concurrent-shutdown.js';
import type { PowerOffHistory, SequenceHistory } from './journal/summary.js';
import { isCommitted } from './journal/summary.js';
import type { Journal } from './journal/journal.js';
import type { Cause } from './journal/record.js';
import type { StepOutcome } from './outcome.js';
import { failed, outcomeOf } from './outcome.js';
import { PowerOff } from './phases/power-off.js';
import { tellUsers } from './phases/wall.js';
import type { Past } from './run.js';
import { Sequence } from './run.js';
import { tellEnd, tellingObserver } from './messages.js';
import type { SequencesDependencies } from './dependencies.js';

/** Before there is any. */
const noCompany = 'none';

export class Sequences {
  readonly #tools: SequencesDependencies;
  #plans: ReadonlyMap<string, Plan> = new Map();
  readonly #running = new Map<string, Sequence>();
  #endedLast: Sequence | undefined;
  #company: ConcurrentShutdown;
  /** All of it had ended before this daemon lived, or there is none yet. */
  #isCompanyOver = true;
  /** Groups of this company that a daemon before this one left open: they come back to it, or are dropped. */
  readonly #awaited: PendingRecovery;
  /** The plans in the journals of those. */
  #left: ReadonlyMap<string, Plan> = new Map();
  /** The one that was begun last: it may still be trying. Only another power-off takes over from it. */
  #begun: PowerOff | undefined;

  constructor(tools: SequencesDependencies) {
    this.#tools = tools;
    this.#awaited = new PendingRecovery(tools.setTimer);
    this.#company = this.#newCompany(noCompany);
  }

  /** The plans of a newly loaded configuration. A sequence that runs keeps the plan it started with. */
  load(plans: readonly Plan[]): void {
    this.#plans = new Map(plans.map((plan) => [plan.group, plan]));
  }

  /** What a shutdown would run: for a member of a redundancy group, which starts none of its own, the plan of its group. */
  planOf(group: string): Plan | undefined {
    return this.#plans.get(group) ?? [...this.#plans.values()].find(({ fedBy }) => fedBy.includes(group));
  }

  get active(): boolean {
    return this.#running.size > 0;
  }

  /** The group has a plan of its own, and no sequence of it runs. */
  isIdle(group: string): boolean {
    return this.#plans.has(group) && !this.#running.has(group);
  }

  /** The host's power-off has begun: nothing is left to finish before the daemon may end. */
  get powerOffBegun(): boolean {
    return this.#company.powerOff.begun;
  }

  /** Starts the group's plan; its first command has been started when this returns. False: there is no such sequence. */
  start(group: string, cause: Cause): boolean {
    return this.startTogether([{ group, cause }]);
  }

  /** Groups that fall at the same moment: all of them run before the first one looks whom its power-off has to wait for. */
  startTogether(asked: readonly { readonly group: string; readonly cause: Cause }[]): boolean {
    const { guard } = this.#tools;
    const sequences = asked.map(({ group, cause }) => {
      let sequence: Sequence | undefined;
      const isKnown = guard.run(`the start of ${group}`, () => (sequence = this.#toBeStarted(group, cause)));
      // It is made again at the next tick: the power-off of the others must not forget its servers.
      if (!isKnown) this.#awaited.add(group);
      return sequence;
    });
    for (const sequence of sequences) sequence?.start();
    return !sequences.includes(undefined);
  }

  #toBeStarted(group: string, cause: Cause): Sequence | undefined {
    const isAwaited = !this.#awaited.none;
    this.#awaited.cameBack(group);
    const plan = this.#plans.get(group);
    if (plan === undefined || this.#running.has(group)) return undefined;
    const { clock, journals, log } = this.#tools;
    const startedMs = clock.monotonicMs();
    // Sequences that run side by side are one company, with those that a restart left open; a later one is one of its own.
    if (!this.active && (!isAwaited || this.#isCompanyOver)) {
      this.#company = this.#newCompany(`${group} at ${String(startedMs)}`);
      this.#isCompanyOver = false;
    }
    if (this.#awaited.none) this.#company.begins(plan);
    const journal = journals.begin(`sequence-${group}`, {
      kind: 'sequence',
      group,
      cause,
      company: this.#company.id,
      plan,
      startedMs,
      startedUnixSeconds: clock.wallSeconds(),
    });
    const mode = plan.dryRun ? ' (dry run: nothing is really run)' : '';
    log.warning(`shutdown sequence of ${plan.label} started${mode}: ${cause.trigger}: ${cause.why}`, {
      category: 'shutdown',
      group,
    });
    return this.#sequence(plan, journal);
  }

  /**
   * What daemons before this one had done on this boot: the servers they commanded are not commanded again, and a
   * power-off that was begun goes on where it was. To be called before anything is started or resumed. Whatever starts
   * before `awaited` have been resumed or dropped runs side by side with them.
   */
  remember(
    sequences: readonly SequenceHistory[],
    powerOff: PowerOffHistory | undefined,
    awaited: readonly string[],
  ): void {
    this.#awaited.expect(awaited);
    const open = sequences.filter(({ over }) => over === null);
    this.#left = new Map(open.map(({ header }) => [header.group, header.plan]));
    const company = open[0]?.header.company ?? powerOff?.header.company;
    if (company === undefined) return;
    this.#isCompanyOver = open.length === 0;
    this.#company = this.#newCompany(company);
    if (powerOff?.header.company === company) {
      const comesBack = sequences.some(
        ({ header, over }) => over === null && powerOff.requestedBy.has(header.group),
      );
      this.#company.powerOff.resume(powerOff, comesBack);
      if (this.#company.powerOff.begun) this.#begun = this.#company.powerOff;
    }
    for (const one of sequences) if (one.header.company === company) this.#company.remember(one);
  }

  /** Goes on with a sequence at its first step that has not ended. False: one of the group runs already. */
  resume(history: SequenceHistory): boolean {
    const { header, steps, phasesEnded, found } = history;
    this.#awaited.cameBack(header.group);
    if (this.#running.has(header.group)) return false;
    const { startedUnixSeconds, plan } = header;
    const past = { startedUnixSeconds, committed: isCommitted(history), steps, phasesEnded };
    this.#tools.log.warning(`shutdown sequence of ${plan.label} goes on where it was interrupted`, {
      category: 'shutdown',
      group: plan.group,
    });
    this.#sequence(plan, this.#tools.journals.resume(found), past).start();
    return true;
  }

  /** A sequence that was begun before this daemon lived is called off: nothing of it was beyond recall. */
  drop({ found, header }: SequenceHistory, reason: string): void {
    this.#awaited.cameBack(header.group);
    const { clock, journals } = this.#tools;
    const moment = { atMs: clock.monotonicMs(), unixSeconds: clock.wallSeconds() };
    journals.resume(found).write({ kind: 'over', cancelled: reason, ...moment });
  }

  /** A group that was asked for before this daemon lived, without anything begun, is not run after all. */
  dismiss(group: string): void {
    this.#awaited.cameBack(group);
  }

  /** Whom the step takes power from: those that run, and before them those that a restarted daemon has not settled yet. */
  #gate(company: ConcurrentShutdown, group: string, step: PlanStep): Promise<void> | null {
    const back = this.#awaited.back(
      (other) => other !== group && this.#plansLeft(other).some((plan) => takesPowerFrom(step, plan)),
    );
    return back === null
      ? company.gate(group, step)
      : back.then(() => company.gate(group, step) ?? undefined);
  }

  /** With what a group that is awaited may come back. */
  #plansLeft(group: string): readonly Plan[] {
    return [this.#left.get(group), this.#plans.get(group)].flatMap((plan) => plan ?? []);
  }

  powerReturned(group: string): void {
    this.#running.get(group)?.powerReturned();
  }

  /** Calls off every running sequence that still can be; the groups whose sequence was cancelled. */
  cancel(principal: string): readonly string[] {
    const running = [...this.#running].filter(([, sequence]) => sequence.cancel(`cancelled by ${principal}`));
    return running.map(([group]) => group);
  }

  model(): SequenceModel {
    return ([...this.#running.values()].at(-1) ?? this.#endedLast)?.model() ?? { active: false };
  }

  /** The daemon ends. */
  stop(): void {
    this.#company.powerOff.stop();
    this.#begun?.stop();
  }

  #sequence(plan: Plan, journal: Journal, past?: Past): Sequence {
    const { guard, clock, setTimer, log, record, changed, powerIsBack } = this.#tools;
    const { group } = plan;
    const company = this.#company;
    const sequence: Sequence = new Sequence(
      plan,
      {
        guard,
        clock,
        setTimer,
        journal,
        actuator: plan.dryRun ? rehearsal(log) : realActuator(this.#performers(plan, company)),
        gate: (step) => this.#gate(company, group, step),
        begunMs: (step) => company.begunMs(step),
        powerIsBack: () => powerIsBack(group),
        observer: {
          ...tellingObserver(plan, record),
          changed,
          finished: () => {
            this.#running.delete(group);
            this.#endedLast = sequence;
            company.left(group);
            guard.run('the last event of a sequence', () => tellEnd(plan, sequence, record));
            this.#tools.ended(group, sequence.state.kind === 'cancelled');
          },
        },
      },
      past,
    );
    this.#running.set(group, sequence);
    company.joined(group, sequence);
    return sequence;
  }

  /** The daemon's performers, with what is shared between sequences around them. */
  #performers({ group }: Plan, company: ConcurrentShutdown): Performers {
    const { run, performers } = this.#tools;
    const { remote } = performers;
    const powerOff = (step: PlanStep, signal: AbortSignal) =>
      this.#begin(company.powerOff).perform(group, step, signal);
    return {
      ...performers,
      wall: ({ message }, _, signal) => tellUsers(run, message, signal),
      poweroff: (_, step, signal) => powerOff(step, signal),
      poweroffDelegate: (_, step, signal) => powerOff(step, signal),
      remote: (action, step, signal) =>
        // Without a final command it is a phase of the delegate, of which there are several.
        action.work.final === null
          ? remote(action, step, signal)
          : company.once(action.work.server, signal, () => remote(action, step, signal)),
    };
  }

  /** The group has come to its power-off: that of an earlier outage, which may still be trying, has had its time. */
  #begin(powerOff: PowerOff): PowerOff {
    if (this.#begun !== powerOff) this.#begun?.stop();
    this.#begun = powerOff;
    return powerOff;
  }

  #newCompany(id: string): ConcurrentShutdown {
    const { setTimer, record, powerIsBack, isSeenOnBattery, journals } = this.#tools;
    const powerOff = () =>
      new PowerOff({
        attempt: (step, signal) => this.#attemptPowerOff(step, signal),
        setTimer,
        journals,
        company: id,
        failed: (reason) => record('daemon', 'SHUTDOWN_STEP_FAILED', `power-off of this host: ${reason}`),
        powerIsBack,
        isSeenOnBattery,
      });
    return new ConcurrentShutdown(id, powerOff);
  }

  async #attemptPowerOff(step: PlanStep, signal: AbortSignal): Promise<StepOutcome> {
    const { run, performers } = this.#tools;
    const { action } = step;
    if (action.kind === 'poweroff') return outcomeOf(await run(action.command, signal));
    if (action.kind === 'poweroffDelegate') return performers.poweroffDelegate(action, step, signal);
    return failed(`${action.kind} is no power-off`);
  }
}
