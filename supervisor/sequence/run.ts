// Runs one plan, once, from its first step to its last. This is the second of the two machines that matter:
//
//                 cancel, power back                    every step ended
//   cancellable ---------------------> cancelled     ----------------------> ended
//        |                                           |
//        +--- first destructive step -> committed ---+
//
//   cancellable  nothing has been done that a person would have to undo; may still be called off.
//   committed    past the point of no return: runs to its end whatever happens, so that no host is left half down.
//   cancelled, ended   nothing runs any more; the sequence is only looked at.
//
// Every step is written down before it begins and after it has ended, and has a budget. A step past it is abandoned,
// recorded as failed, and the sequence goes on: nothing here waits for a disk, a log line, a worker, or a process that
// cannot die. A sequence that a daemon before this one had begun starts with its past: what had ended is not done again.
// An exception stops nothing here: that of a listener is logged, that of a step is its failure.
import type { Plan, PlanPhase, PlanStep } from '../../shared/domain/plan.js';
import type { Lane } from '../../shared/domain/plan-lanes.js';
import { lanesOf } from '../../shared/domain/plan-lanes.js';
import type { SequenceModel } from '../../shared/domain/status-model.js';
import { withinBudget, withWhatIsLeft } from './budget.js';
import type { StepHistory } from './journal/summary.js';
import type { SequenceRecord } from './journal/record.js';
import type { StepEnd } from './observer.js';
import type { StepOutcome } from './outcome.js';
import { failed, internalError } from './outcome.js';
import { StepProgress } from './step-progress.js';
import type { SequenceDependencies } from './dependencies.js';
import { guarded } from './dependencies.js';

export type SequenceState =
  | { readonly kind: 'cancellable' }
  | { readonly kind: 'committed' }
  | { readonly kind: 'cancelled'; readonly reason: string }
  | { readonly kind: 'ended' };

/** What had been done when the daemon that did it ended. */
export interface Past {
  readonly startedUnixSeconds: number;
  readonly committed: boolean;
  readonly steps: ReadonlyMap<string, StepHistory>;
  readonly phasesEnded: ReadonlySet<string>;
}

export class Sequence {
  readonly plan: Plan;
  readonly #tools: SequenceDependencies;
  readonly #past: Past | undefined;
  readonly #startedAt: number;
  readonly #book: StepProgress;
  readonly #waiting: (() => void)[] = [];
  readonly #ended = new Set<PlanPhase>();
  /** By the ids of the steps: how each ends, and what its actuator comes to. */
  readonly #begun = new Map<string, Promise<readonly StepEnd[]>>();
  readonly #performed = new Map<string, Promise<StepOutcome>>();
  #state: SequenceState;
  #phase = '';
  #powerBack = false;
  #targetsOver: boolean;

  constructor(plan: Plan, tools: SequenceDependencies, past?: Past) {
    this.plan = plan;
    this.#tools = guarded(tools);
    this.#past = past;
    this.#startedAt = past?.startedUnixSeconds ?? tools.clock.wallSeconds();
    this.#state = { kind: past?.committed === true ? 'committed' : 'cancellable' };
    this.#book = new StepProgress(plan, past?.steps);
    this.#targetsOver = !plan.phases.some(goesToTargets);
  }

  get state(): SequenceState {
    return this.#state;
  }

  get active(): boolean {
    return this.#state.kind === 'cancellable' || this.#state.kind === 'committed';
  }

  get powerBack(): boolean {
    return this.#powerBack;
  }

  /** Begins the first step before it returns. */
  start(): void {
    void this.#twice('the sequence', () => this.#run()).then(() => this.#end());
  }

  /** Calls the sequence off. False, and without effect, past the point of no return. */
  cancel(reason: string): boolean {
    if (this.#state.kind !== 'cancellable') return false;
    this.#state = { kind: 'cancelled', reason };
    this.#note(() => this.#book.skipPending(reason));
    this.#finish(reason);
    return true;
  }

  /** Power is back, confirmed. Before the point of no return that ends the sequence; after it, it is only noted. */
  powerReturned(): void {
    this.#powerBack = true;
    if (!this.cancel('power is back')) this.#tools.observer.changed();
  }

  /** Settles when everything that is shut down over the network has had its turn; null when what carries it may go. */
  targetsOver(): Promise<void> | null {
    if (this.#targetsOver) return null;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  model(): SequenceModel {
    return {
      active: this.active,
      group: this.plan.group,
      startedAt: this.#startedAt,
      phase: this.active ? this.#phase : '',
      pointOfNoReturn: this.#state.kind === 'committed' || this.#state.kind === 'ended',
      powerBack: this.#powerBack,
      dryRun: this.plan.dryRun,
      steps: this.#book.steps,
    };
  }

  async #run(): Promise<void> {
    // Before the first phase: what begins with the sequence begins beside it.
    for (const phase of this.plan.phases)
      this.#tools.guard.run('what begins with the sequence', () => this.#lanes(phase, 'with_sequence'));
    for (const phase of this.plan.phases) {
      if (!this.active) return;
      this.#phase = phase.name;
      if (!goesToTargets(phase)) this.#tellTargetsOver();
      if (!this.#ended.has(phase)) await this.#twice(`phase ${phase.name}`, () => this.#runPhase(phase));
      this.#ended.add(phase);
    }
  }

  #end(): void {
    if (!this.active) return;
    this.#state = { kind: 'ended' };
    this.#finish(null);
  }

  /**
   * Runs `act`, and once more when it throws. When it throws again it is given up, and what comes after it runs. A step
   * that has begun does not begin again.
   */
  async #twice(place: string, act: () => Promise<void>): Promise<void> {
    for (const attempt of ['first', 'second']) {
      try {
        return await act();
      } catch (error) {
        this.#tools.guard.caught(`${attempt} attempt: ${place}`, error);
      }
    }
  }

  async #runPhase(phase: PlanPhase): Promise<void> {
    const { observer } = this.#tools;
    const lanes = this.#lanes(phase, 'with_phase');
    const ahead = this.#lanes(phase, 'with_sequence');
    // Told after the steps were begun, so that no observer stands between the trigger and the command.
    const isNew = !phase.steps.some(({ id, begins }) => begins === 'with_phase' && this.#past?.steps.has(id));
    if (this.active && isNew) observer.phaseStarted(phase);
    const ends = (await Promise.all([...ahead, ...lanes])).flat();
    if (!this.active || this.#past?.phasesEnded.has(phase.name) === true) return;
    observer.phaseFinished(phase, ends);
    this.#write({ kind: 'phaseEnded', phase: phase.name });
  }

  /** Begins those lanes of the phase. A step that has begun already is not begun again. */
  #lanes(phase: PlanPhase, begins: Lane<PlanStep>['begins']): readonly Promise<readonly StepEnd[]>[] {
    return lanesOf(phase.steps)
      .filter((lane) => lane.begins === begins)
      .map((lane) => this.#runLane(lane));
  }

  async #runLane({ ranks }: Lane<PlanStep>): Promise<readonly StepEnd[]> {
    const ends: StepEnd[] = [];
    for (const rank of ranks) {
      const running = rank.map((step) => this.#endOf(step));
      ends.push(...(await Promise.all(running)).flat());
    }
    return ends;
  }

  /** How the step ends, begun by whoever asks first; nothing when the sequence was called off before it. */
  #endOf(step: PlanStep): Promise<readonly StepEnd[]> {
    const { id } = step;
    const known = this.#begun.get(id);
    if (known !== undefined) return known;
    const end = this.active ? this.#endedOrRun(step, id) : Promise.resolve([]);
    this.#begun.set(id, end);
    return end;
  }

  /** It may have ended before this daemon lived. */
  async #endedOrRun(step: PlanStep, id: string): Promise<readonly StepEnd[]> {
    const former = this.#past?.steps.get(id);
    let end: { readonly outcome: StepOutcome | undefined } | undefined;
    await this.#twice(`step ${id}`, async () => {
      end = { outcome: former?.ended?.outcome ?? (await this.#runStep(step, former)) };
    });
    const { outcome } = end ?? { outcome: this.#failedByBug(step) };
    return outcome === undefined ? [] : [{ step, outcome }];
  }

  async #runStep(step: PlanStep, former: StepHistory | undefined): Promise<StepOutcome | undefined> {
    const { clock, actuator, setTimer, observer } = this.#tools;
    const { id } = step;
    const gate = this.#tools.gate(step);
    if (gate !== null) await gate;
    if (!this.#mayBegin(step)) return undefined;
    const beganMs = this.#tools.begunMs(step) ?? former?.beganMs;
    const elapsedMs = beganMs === undefined ? 0 : clock.monotonicMs() - beganMs;
    this.#write({ kind: 'stepBegan', step: id });
    if (step.destructive && this.#state.kind === 'cancellable') this.#state = { kind: 'committed' };
    const outcome =
      this.#performed.get(id) ?? withinBudget(withWhatIsLeft(step, elapsedMs), actuator, setTimer);
    this.#performed.set(id, outcome);
    this.#note(() => this.#book.began(id, former?.beganUnixSeconds ?? clock.wallSeconds()));
    observer.changed();
    const ended = bounded(await outcome);
    this.#write({ kind: 'stepEnded', step: id, outcome: ended });
    this.#note(() => this.#book.ended(id, ended, clock.wallSeconds()));
    observer.changed();
    if (ended.kind === 'failed') observer.stepFailed(step, ended.reason);
    return ended;
  }

  /** Not written down: a daemon after this one tries it again. */
  #failedByBug(step: PlanStep): StepOutcome {
    const { clock, observer } = this.#tools;
    this.#note(() => this.#book.ended(step.id, failed(internalError), clock.wallSeconds()));
    observer.stepFailed(step, internalError);
    return failed(internalError);
  }

  /** Not when it was called off; and nothing destructive as the first when power has come back. */
  #mayBegin({ destructive }: PlanStep): boolean {
    if (destructive && this.#state.kind === 'cancellable' && this.#tools.powerIsBack()) this.powerReturned();
    return this.active;
  }

  #finish(cancelled: string | null): void {
    this.#write({ kind: 'over', cancelled });
    this.#tellTargetsOver();
    this.#tools.observer.changed();
    this.#tools.observer.finished();
  }

  #tellTargetsOver(): void {
    this.#targetsOver = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** The book is only shown: a bug of it must not end a step that others wait for. */
  #note(change: () => void): void {
    this.#tools.guard.run('the step book', change);
  }

  #write(record: DistributiveOmit<SequenceRecord, 'atMs' | 'unixSeconds'>): void {
    const { guard, clock, journal } = this.#tools;
    guard.run('the journal', () =>
      journal.write({ ...record, atMs: clock.monotonicMs(), unixSeconds: clock.wallSeconds() }),
    );
  }
}

/** The phase of the servers, and those before it. */
export function goesToTargets({ name }: PlanPhase): boolean {
  return name !== 'final_sync' && name !== 'ups_output_off' && name !== 'local_poweroff';
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** What a target says of its failure ends up in the journal, in events and in messages: no more than people read. */
const longestReason = 2_000;

function bounded(outcome: StepOutcome): StepOutcome {
  if (outcome.kind === 'done') return outcome;
  return { ...outcome, reason: outcome.reason.slice(0, longestReason) };
}
