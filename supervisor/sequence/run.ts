// Runs one plan once, from its first step to its last:
//
//                 cancel, power back                                every step ended
//   cancellable ---------------------> cancelled               ----------------------> ended
//        |                                                     |
//        +--- first destructive step -> pastPointOfNoReturn ---+
//
//   cancellable          no destructive step has started; the sequence may still be cancelled.
//   pastPointOfNoReturn  runs to its end in every case, so that no host stays half shut down.
//   cancelled, ended     nothing runs any more; the sequence is only read.
//
// The journal records every step before it starts and after it ends. Every step has a budget: past it the step is
// abandoned and recorded as failed, and the sequence continues. Nothing here waits for a disk, a log line, a worker, or a
// process that cannot be killed. A sequence of a previous daemon is resumed with its past: finished steps do not run
// again. An exception of an observer is logged; an exception of a step is a failure of that step.
import type { Plan, PlanPhase, PlanStep } from '../../shared/domain/outage/plan.js';
import type { Lane } from '../../shared/domain/outage/plan-lanes.js';
import { lanesOf } from '../../shared/domain/outage/plan-lanes.js';
import type { SequenceRun } from '../../shared/domain/status/status-model.js';
import { withinBudget, withRemainingBudget } from './budget.js';
import type { SequenceEntry } from './journal/entries.js';
import type { GroupRecord, StepRecord } from './journal/fold.js';
import { isPastPointOfNoReturn } from './journal/fold.js';
import type { StepEnd } from './observer.js';
import type { StepOutcome } from './outcome.js';
import { begunBefore, failureOf, internalError, withBoundedText } from './outcome.js';
import { Waits } from './waits.js';
import type { SequenceDependencies } from './dependencies.js';
import { guardSequence } from './dependencies.js';

export type SequenceState =
  | { readonly kind: 'cancellable' }
  | { readonly kind: 'pastPointOfNoReturn' }
  | { readonly kind: 'cancelled'; readonly reason: string }
  | { readonly kind: 'ended' };

/** The progress of the sequence under a previous daemon. */
export type PastProgress = Pick<GroupRecord, 'startedUnixSeconds' | 'steps' | 'phasesEnded'>;

export class Sequence {
  readonly plan: Plan;
  readonly #deps: SequenceDependencies;
  readonly #past: PastProgress | undefined;
  readonly #startedAt: number;
  readonly #waits: Waits;
  /** Ends the tries of the phase that runs: nothing waits for them. */
  #tries = new AbortController();
  readonly #endedPhases = new Set<PlanPhase>();
  /** By step id: the end of each step, and the outcome of its actuator. */
  readonly #stepEnds = new Map<string, Promise<readonly StepEnd[]>>();
  readonly #outcomes = new Map<string, Promise<StepOutcome>>();
  #state: SequenceState;
  #phase = '';
  #powerBack = false;

  constructor(plan: Plan, deps: SequenceDependencies, past?: PastProgress) {
    this.plan = plan;
    this.#deps = guardSequence(deps);
    this.#past = past;
    this.#startedAt = past?.startedUnixSeconds ?? deps.clock.wallSeconds();
    this.#state = {
      kind:
        past !== undefined && isPastPointOfNoReturn({ plan, steps: past.steps })
          ? 'pastPointOfNoReturn'
          : 'cancellable',
    };
    this.#waits = new Waits(this.#deps, past?.steps);
  }

  get state(): SequenceState {
    return this.#state;
  }

  get active(): boolean {
    return this.#state.kind === 'cancellable' || this.#state.kind === 'pastPointOfNoReturn';
  }

  get powerBack(): boolean {
    return this.#powerBack;
  }

  /** Starts the first step before it returns. */
  start(): void {
    void this.#tryTwice('the sequence', () => this.#run()).then(() => this.#end());
  }

  /** Cancels the sequence. False, and without effect, past the point of no return. */
  cancel(reason: string): boolean {
    if (this.#state.kind !== 'cancellable') return false;
    this.#state = { kind: 'cancelled', reason };
    this.#finish(reason);
    return true;
  }

  /** The return of power is confirmed. It cancels the sequence before the point of no return; later it is only recorded. */
  powerReturned(): void {
    this.#powerBack = true;
    if (!this.cancel('power is back')) this.#deps.observer.changed();
  }

  /** Its steps are in the record. */
  model(): Omit<SequenceRun, 'steps'> {
    return {
      active: this.active,
      group: this.plan.group,
      startedAt: this.#startedAt,
      phase: this.active ? this.#phase : '',
      pointOfNoReturn: this.#state.kind === 'pastPointOfNoReturn' || this.#state.kind === 'ended',
      powerBack: this.#powerBack,
      dryRun: this.plan.dryRun,
    };
  }

  async #run(): Promise<void> {
    // Steps that begin with the sequence start before the first phase and run concurrently with it.
    for (const phase of this.plan.phases)
      this.#deps.guard.run('what begins with the sequence', () => this.#lanes(phase, beginsWithSequence));
    for (const phase of this.plan.phases) {
      if (!this.active) return;
      this.#phase = phase.name;
      if (!this.#endedPhases.has(phase))
        await this.#tryTwice(`phase ${phase.name}`, () => this.#runPhase(phase));
      this.#endedPhases.add(phase);
    }
  }

  #end(): void {
    if (!this.active) return;
    this.#state = { kind: 'ended' };
    this.#finish(null);
  }

  /**
   * Runs `act`, and again when it throws. After a second exception the caller continues. A started step does not start again.
   */
  async #tryTwice(place: string, act: () => Promise<void>): Promise<void> {
    for (const attempt of ['first', 'second']) {
      try {
        return await act();
      } catch (error) {
        this.#deps.guard.logBug(`${attempt} attempt: ${place}`, error);
      }
    }
  }

  async #runPhase(phase: PlanPhase): Promise<void> {
    const { observer } = this.#deps;
    this.#tries = new AbortController();
    const running = this.#lanes(phase);
    // Reports after the steps have started, so that no observer delays a command.
    if (this.active && !this.#beganBefore(phase)) observer.phaseStarted(phase);
    const awaited = running.flatMap(({ isTry, ends }) => (isTry ? [] : [ends]));
    await Promise.all(awaited);
    this.#tries.abort('the next step was due');
    const ends = (await Promise.all(running.map((lane) => lane.ends))).flat();
    if (!this.active || this.#past?.phasesEnded.has(phase.name) === true) return;
    observer.phaseFinished(phase, ends);
    this.#write({ kind: 'phaseEnded', phase: phase.name });
  }

  /** Under a previous daemon. A step that begins with the sequence may have begun long before its phase. */
  #beganBefore(phase: PlanPhase): boolean {
    const before = this.plan.phases[this.plan.phases.indexOf(phase) - 1];
    const wasDue = before === undefined || this.#past?.phasesEnded.has(before.name) === true;
    return wasDue && phase.steps.some(({ id }) => this.#past?.steps.has(id));
  }

  /** Starts the lanes of the phase. A step that has started does not start again. */
  #lanes(phase: PlanPhase, mayStart: (step: PlanStep) => boolean = () => true): readonly RunningLane[] {
    return lanesOf(phase.steps).map((lane) => ({
      isTry: lane.ranks[0]?.[0]?.action.kind === 'commandAgain',
      ends: this.#runLane(lane, mayStart),
    }));
  }

  /** Runs the ranks in turn, up to one with a step that may not start yet. */
  async #runLane(
    { ranks }: Lane<PlanStep>,
    mayStart: (step: PlanStep) => boolean,
  ): Promise<readonly StepEnd[]> {
    const ends: StepEnd[] = [];
    for (const rank of ranks) {
      const startable = rank.filter(mayStart);
      ends.push(...(await Promise.all(startable.map((step) => this.#stepEnd(step)))).flat());
      if (startable.length < rank.length) break;
    }
    return ends;
  }

  /** The end of the step; the first call starts it. Empty when the sequence was cancelled before. */
  #stepEnd(step: PlanStep): Promise<readonly StepEnd[]> {
    const { id } = step;
    const known = this.#stepEnds.get(id);
    if (known !== undefined) return known;
    const end = this.active ? this.#finishStep(step, id) : Promise.resolve([]);
    this.#stepEnds.set(id, end);
    return end;
  }

  /** Runs the step, unless it ended under a previous daemon. */
  async #finishStep(step: PlanStep, id: string): Promise<readonly StepEnd[]> {
    const previous = this.#past?.steps.get(id);
    let end: { readonly outcome: StepOutcome | undefined } | undefined;
    await this.#tryTwice(`step ${id}`, async () => {
      end = { outcome: previous?.ended?.outcome ?? (await this.#runStep(step, previous)) };
    });
    const { outcome } = end ?? { outcome: this.#failedByBug(step) };
    return outcome === undefined ? [] : [{ step, outcome }];
  }

  async #runStep(step: PlanStep, previous: StepRecord | undefined): Promise<StepOutcome | undefined> {
    const { clock, actuator, setTimer, observer } = this.#deps;
    const { id } = step;
    const gate = this.#deps.gate(step);
    if (gate !== null) await gate;
    if (!this.#mayBegin(step)) return undefined;
    const beganMs = this.#waits.sinceMs(step) ?? this.#deps.sharedSinceMs(step) ?? previous?.beganMs;
    const elapsedMs = beganMs === undefined ? 0 : clock.monotonicMs() - beganMs;
    this.#write({ kind: 'stepBegan', step: id });
    if (step.destructive && this.#state.kind === 'cancellable') this.#state = { kind: 'pastPointOfNoReturn' };
    const wait = this.#waits.watch(step);
    const ends = step.action.kind === 'commandAgain' ? this.#tries.signal : wait.signal;
    const outcome =
      this.#outcomes.get(id) ?? withinBudget(withRemainingBudget(step, elapsedMs), actuator, setTimer, ends);
    this.#outcomes.set(id, outcome);
    observer.changed();
    const found = withBoundedText(await outcome);
    const ended = previous === undefined ? found : begunBefore(found);
    wait.stop();
    this.#write({ kind: 'stepEnded', step: id, outcome: ended });
    this.#waits.ended(id, ended, clock.monotonicMs());
    observer.changed();
    if (ended.kind === 'failed') observer.stepFailed(step, ended.reason);
    return ended;
  }

  /** Not recorded in the journal: a restarted daemon tries the step again. */
  #failedByBug(step: PlanStep): StepOutcome {
    this.#deps.observer.stepFailed(step, internalError);
    return failureOf(internalError);
  }

  /** False after a cancellation. Returned power cancels the sequence before its first destructive step. */
  #mayBegin({ destructive }: PlanStep): boolean {
    if (destructive && this.#state.kind === 'cancellable' && this.#deps.powerIsBack()) this.powerReturned();
    return this.active;
  }

  #finish(cancelled: string | null): void {
    this.#write({ kind: 'over', cancelled });
    this.#deps.observer.changed();
    this.#deps.observer.finished();
  }

  #write(entry: SequenceEntry): void {
    this.#deps.guard.run('the journal', () => this.#deps.write(entry));
  }
}

const beginsWithSequence = ({ begins }: PlanStep): boolean => begins === 'with_sequence';

interface RunningLane {
  readonly isTry: boolean;
  readonly ends: Promise<readonly StepEnd[]>;
}
