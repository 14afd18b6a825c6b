// Judges sequences by specification/sequence.md#shutdown-sequence: what begins when, what never begins again, what runs
// to its end.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import type { WorldEvent } from '../scenario.js';
import type { OracleContext } from './oracle-context.js';
import type { Running, StepState } from './sequence-model.js';
import { SequenceModel } from './sequence-model.js';
import type { ExpectedStep } from './expected-plan.js';
import { expectedPlan, isServer, keyOf } from './expected-plan.js';
import type { PlanObservation, Timed } from './plan-observation.js';
import { OnDisk } from './on-disk.js';
import { OrderInvariant } from './order-invariant.js';
import { PlanProgressInvariant } from './plan-progress-invariant.js';
import { checkServer, RemoteDoubt } from './server-invariant.js';
import { checkSummary } from './summary-invariant.js';

/** Tolerance of timers. */
const slackMs = 50;

export class PlanInvariant {
  readonly #context: OracleContext;
  readonly #orders: OrderInvariant;
  readonly #model = new SequenceModel();
  readonly #pace: PlanProgressInvariant;
  readonly #doubt: RemoteDoubt;
  #happened: Timed[] = [];
  /** Stalls of the supervisor: its timers were late by as much. The power-off's wait for others, of 30 s at least, may be over. */
  #stalls = { sumMs: 0, waitOverMs: -Infinity };
  /** A plan has started the power-off of the host. */
  powerOffAsked = false;

  constructor(context: OracleContext) {
    this.#orders = new OrderInvariant(context);
    this.#context = context;
    this.#pace = new PlanProgressInvariant(context, this.#model);
    this.#doubt = new RemoteDoubt(context);
  }

  get isHostGoing(): boolean {
    return this.#model.isHostGoing;
  }

  isDoneBeside(server: string): boolean {
    return this.#model.isDoneBeside(server);
  }

  event(event: RecordedEvent): void {
    if (event.type === 'SHUTDOWN_TRIGGERED') this.#orders.triggered(event.detail);
    this.#note({ kind: 'event', event });
  }

  began(step: PlanStep): void {
    this.#orders.began(step);
    const key = keyOf(step);
    if (key !== undefined) this.#note({ kind: 'began', key, by: step });
  }

  ended(step: PlanStep, outcome: StepOutcome | null): void {
    this.#orders.ended(step, outcome);
    const key = keyOf(step);
    if (key !== undefined) this.#note({ kind: 'ended', key, by: step, outcome });
  }

  /** For the two steps that are a single command: `wall` and `host`. */
  commandBegan(key: string, by: readonly string[]): void {
    this.#note({ kind: 'began', key, by });
  }

  commandEnded(key: string, by: readonly string[]): void {
    this.#note({ kind: 'ended', key, by, outcome: null });
  }

  commanded(server: string): void {
    this.#orders.commanded(server);
    this.#note({ kind: 'commanded', server });
  }

  stalled(ms: number): void {
    const endMs = this.#context.world.machine.monotonicMs() + ms;
    this.#stalls = { sumMs: this.#stalls.sumMs + ms, waitOverMs: ms < 30_000 ? -Infinity : endMs };
    for (const running of this.#model.sequences.values()) running.endsByMs += ms;
  }

  workerFault({ fault, awayMs }: Extract<WorldEvent, { kind: 'remoteWorker' }>): void {
    this.#doubt.fault(fault === 'hangs', awayMs);
  }

  /** After every input, before the invariants of the host. */
  check(): void {
    this.powerOffAsked = false;
    const happened = this.#happened;
    if (happened.length === 0) return;
    this.#happened = [];
    // The first step begins before its event is told.
    const fresh = happened.flatMap((one) => (one.kind === 'event' ? this.#opened(one.event, one.atMs) : []));
    for (const one of happened) {
      switch (one.kind) {
        case 'event':
          this.#told(one.event);
          break;
        case 'began':
          this.#begins(one);
          break;
        case 'ended':
          this.#ends(one);
          break;
        case 'commanded':
          this.#model.commanded.add(one.server);
          break;
      }
    }
    if (this.#model.sequences.size === 0) this.#orders.over();
    if (this.#context.world.daemon.pendingKillMs === null) this.#pace.checkFirstSteps(fresh);
  }

  /** At ticks. */
  ticked(): void {
    this.#pace.check();
  }

  daemonDied(isWithin: boolean): void {
    this.check();
    const diedMs = this.#context.world.machine.monotonicMs();
    for (const [key, state] of this.#model.steps) {
      // Cut off in it, or before its end was written: what the disk says of it counts.
      if (state.mayRunAgain || (isWithin && state.overMs === diedMs))
        this.#model.steps.set(key, { ...state, kind: 'cut', mayRunAgain: true });
    }
    this.#model.isPowerOffShared = false;
    for (const running of this.#model.sequences.values()) {
      running.looks = true;
      running.crashes += 1;
      if (running.pastPointOfNoReturn === 'yes') running.pastPointOfNoReturn = 'no';
    }
    this.#pace.forget();
  }

  /** The next daemon knows of no step: a sequence in the snapshot begins from its start. */
  journalsLost(): void {
    this.#model.forgetSteps();
  }

  /** Before the other invariants: the next daemon knows the sequences on the disk. */
  daemonStarted(): void {
    this.#doubt.daemonStarted();
    new OnDisk(this.#context, this.#model, (group) => this.#planOf(group)).apply();
  }

  hostDown(): void {
    this.#happened = [];
    this.#model.clear();
    this.#orders.over();
    this.#pace.forget();
  }

  #note(happened: PlanObservation): void {
    const { machine, tmpfs, daemon } = this.#context.world;
    const isUnwritten = tmpfs.full || daemon.stalled;
    this.#happened.push({ ...happened, atMs: machine.monotonicMs(), isUnwritten });
  }

  #planOf(group: string): readonly ExpectedStep[] {
    const { site, policies } = this.#context.world;
    return expectedPlan(site, policies, group, this.#context.powersOffHost(group));
  }

  /** The sequence that starts or continues with this event. */
  #opened({ type, source }: RecordedEvent, atMs: number): readonly Running[] {
    const { sequences } = this.#model;
    if (type === 'SHUTDOWN_TRIGGERED' && !sequences.has(source))
      return [this.#model.beginAnew(source, this.#planOf(source), atMs)];
    if (type !== 'SHUTDOWN_RESUMED') return [];
    // Of the snapshot alone: decided when the daemon started, resumed with a reading.
    const { daemonStartedMs } = this.#context;
    const running =
      sequences.get(source) ?? this.#model.begin(source, this.#planOf(source), atMs, daemonStartedMs);
    running.looks = false;
    running.resumedMs = atMs;
    for (const step of running.plan) this.#timeIsUp(step, atMs);
    return [];
  }

  /** A step interrupted by a kill may have no budget left; the power-off has its own attempts. */
  #timeIsUp({ key, budgetMs, leastMs }: ExpectedStep, atMs: number): void {
    const state = this.#model.steps.get(key);
    if (state?.kind !== 'cut') return;
    const isUp = leastMs === 0 && atMs - state.firstBeganMs >= budgetMs;
    if (isUp || key === 'host') this.#model.steps.set(key, { ...state, kind: 'over', overMs: atMs });
  }

  #told({ type, source, detail }: RecordedEvent): void {
    const running = this.#model.sequences.get(source);
    if (running === undefined) return;
    const context = this.#context;
    if (type === 'REMOTE_SHUTDOWN_SUMMARY') checkSummary(context, this.#model, running, detail);
    if (type === 'SHUTDOWN_CANCELLED') {
      if (running.pastPointOfNoReturn !== 'no')
        context.violated('past the point of no return a sequence runs to its end', `${source}: ${detail}`);
      this.#model.callOff(running);
    }
    if (type !== 'SHUTDOWN_SEQUENCE_COMPLETE') return;
    const left = context.world.site.dryRun ? [] : this.#model.leftOut(running).map(({ key }) => key);
    if (left.length > 0)
      context.violated('a complete sequence has left nothing out', `${source}: ${left.join(', ')}`);
    if (running.plan.some(isServer) && running.summaries === 0)
      context.violated('one summary lists every server', `${source} has told none`);
    this.#model.end(source);
  }

  #begins({ key, by, atMs, isUnwritten }: Extract<Timed, { kind: 'began' }>): void {
    const context = this.#context;
    const { steps, sequences } = this.#model;
    const known = steps.get(key);
    if (context.world.site.dryRun) context.violated('a dry run runs nothing', key);
    const meant = [...sequences.values()].flatMap((running) =>
      running.plan.filter((step) => step.key === key).map((step) => ({ running, step })),
    );
    const due = meant.filter(({ running, step }) => !running.looks && this.#pace.isDue(running, step));
    // Each group has its own message to the users, and its own waits.
    const isShared = meant.some(({ running }) => this.#model.isOfSeveral(running, key));
    if (key === 'host') {
      const isDue = due.length > 0 || atMs === this.#stalls.waitOverMs;
      if (!isDue || known?.kind === 'runs' || known?.mayRunAgain === false) return;
      this.powerOffAsked = true;
      // A retry after a failure, independent of the sequences: those that share it have its result.
      if (known?.kind === 'over' && this.#model.isPowerOffShared) return;
    } else if (meant.length === 0) context.violated('no sequence, no step', key);
    else if (due.length === 0)
      context.violated('phases and orders have their order', `${key} began before ${this.#missing(meant)}`);
    else if (known?.kind === 'runs' && !isShared)
      context.violated('nothing is commanded twice', `${key} is being carried out`);
    else if (known?.kind === 'over' && !known.mayRunAgain && !isShared && !this.#model.mayBeTriedAgain(key))
      context.violated('no finished step runs again', key);
    if (known === undefined) this.#checkBudget(key, by);
    else if (this.#model.mayBeTriedAgain(key)) this.#model.triedAgain.add(key);
    const [first] = due;
    if (first?.step.isDestructive === true && due.length === 1)
      this.#passesPointOfNoReturn(first.running, key, isUnwritten);
    steps.set(key, {
      beganMs: atMs,
      firstBeganMs: known?.kind === 'cut' && !isShared ? Math.min(known.firstBeganMs, atMs) : atMs,
      isBeginUnwritten: isUnwritten,
      kind: 'runs',
      overMs: Infinity,
      outcome: null,
      mayRunAgain: true,
      by,
    });
  }

  #passesPointOfNoReturn(one: Running, key: string, isUnwritten: boolean): void {
    if (!this.#model.isPastPointOfNoReturn(one) && this.#context.isPowerBack(one.group))
      this.#context.violated('nothing destructive begins once power is back', `${key} of ${one.group}`);
    if (one.pastPointOfNoReturn !== 'onDisk') one.pastPointOfNoReturn = isUnwritten ? 'yes' : 'onDisk';
  }

  /** Of the steps whose budget specification/sequence.md#phases gives to the second. */
  #checkBudget(key: string, by: object): void {
    const expected = this.#stepOf(key);
    if (expected === undefined || expected.isBudgetOurs || !('budgetSeconds' in by)) return;
    const budgetMs = Number(by.budgetSeconds) * 1000;
    const text = `${key} has ${String(budgetMs)} ms instead of ${String(expected.budgetMs)} ms`;
    if (budgetMs !== expected.budgetMs)
      this.#context.violated('a step has the budget of the specification', text);
  }

  #missing(meant: readonly { readonly running: Running; readonly step: ExpectedStep }[]): string {
    const parts = meant.map(({ running, step }) => {
      const awaited = this.#pace.awaited(running, step);
      const before = [...this.#model.before(running, step).map(({ key }) => key), ...awaited];
      return `${before.join(', ') || 'it was resumed'} (${running.group})`;
    });
    return parts.join(' and ');
  }

  #ends({ key, by, atMs, isUnwritten, outcome }: Extract<Timed, { kind: 'ended' }>): void {
    const state = this.#model.steps.get(key);
    if (state?.kind !== 'runs' || state.by !== by) return;
    const over: StepState = { ...state, kind: 'over', overMs: atMs, outcome, mayRunAgain: isUnwritten };
    this.#model.steps.set(key, over);
    const step = this.#stepOf(key);
    if (step === undefined) return;
    // After a restart it has what is left of its budget, and what its last command needs.
    const endMs = Math.max(state.firstBeganMs + step.budgetMs, state.beganMs + step.leastMs);
    const text = `${key} is late by ${String(atMs - endMs)} ms`;
    if (atMs > endMs + this.#stalls.sumMs + slackMs)
      this.#context.violated('a step ends within its budget', text);
    checkServer(this.#context, this.#model, this.#doubt, step, over);
  }

  #stepOf(key: string): ExpectedStep | undefined {
    for (const { plan } of this.#model.sequences.values()) {
      const step = plan.find((one) => one.key === key);
      if (step !== undefined) return step;
    }
    return undefined;
  }
}
