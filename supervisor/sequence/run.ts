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
// Every step has a budget. A step past it is abandoned, recorded as failed, and the sequence goes on: nothing here
// waits for a disk, a log line, a worker, or a process that cannot die.
import type { Plan, PlanPhase, PlanStep } from '../../shared/domain/plan.js';
import type { Lane } from '../../shared/domain/plan-lanes.js';
import { lanesOf } from '../../shared/domain/plan-lanes.js';
import type { SequenceModel, SequenceStep } from '../../shared/domain/status-model.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Actuator } from './actuator.js';
import type { StepOutcome } from './outcome.js';
import { failed } from './outcome.js';

export type SequenceState =
  | { readonly kind: 'cancellable' }
  | { readonly kind: 'committed' }
  | { readonly kind: 'cancelled'; readonly reason: string }
  | { readonly kind: 'ended' };

/** What a sequence tells while it runs; every call is followed by a new `model()`. */
export interface SequenceObserver {
  phaseStarted(phase: PlanPhase): void;
  phaseFinished(phase: PlanPhase, failed: number): void;
  stepFailed(step: PlanStep, reason: string): void;
  changed(): void;
  /** Last of all; `state` is cancelled or ended. */
  finished(): void;
}

export interface SequenceTools {
  readonly clock: Clock;
  readonly actuator: Actuator;
  /** An appointment that can be taken back by calling what it returns; a fake one in tests. */
  readonly later: (ms: number, then: () => void) => () => void;
  /** Looked at once more right before the first destructive step. */
  powerIsBack(): boolean;
  readonly observer: SequenceObserver;
}

export class Sequence {
  readonly plan: Plan;
  readonly #tools: SequenceTools;
  readonly #startedAt: number;
  readonly #steps: Map<string, SequenceStep>;
  #state: SequenceState = { kind: 'cancellable' };
  #phase = '';
  #powerBack = false;

  constructor(plan: Plan, tools: SequenceTools) {
    this.plan = plan;
    this.#tools = tools;
    this.#startedAt = tools.clock.wallSeconds();
    this.#steps = new Map(stepsOf(plan).map((step) => [step.id, pending(step)]));
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
    void this.#run();
  }

  /** Calls the sequence off. False, and without effect, past the point of no return. */
  cancel(reason: string): boolean {
    if (this.#state.kind !== 'cancellable') return false;
    this.#state = { kind: 'cancelled', reason };
    for (const step of this.#steps.values()) {
      if (step.state === 'pending') this.#steps.set(step.id, { ...step, state: 'skipped', error: reason });
    }
    this.#tools.observer.changed();
    this.#tools.observer.finished();
    return true;
  }

  /** Power has returned, confirmed. Before the point of no return that ends the sequence; after it, it is only noted. */
  powerReturned(): void {
    this.#powerBack = true;
    if (!this.cancel('power is back')) this.#tools.observer.changed();
  }

  model(): SequenceModel {
    return {
      active: this.active,
      group: this.plan.group,
      startedAt: this.#startedAt,
      phase: this.#phase,
      pointOfNoReturn: this.#state.kind === 'committed' || this.#state.kind === 'ended',
      powerBack: this.#powerBack,
      dryRun: this.plan.dryRun,
      steps: [...this.#steps.values()],
    };
  }

  async #run(): Promise<void> {
    // Before the first phase: what begins with the sequence begins beside it.
    const ahead = new Map(this.plan.phases.map((phase) => [phase.name, this.#lanes(phase, 'with_sequence')]));
    for (const phase of this.plan.phases) {
      if (!this.active) return;
      this.#phase = phase.name;
      await this.#runPhase(phase, ahead.get(phase.name) ?? []);
    }
    if (!this.active) return;
    this.#phase = '';
    this.#state = { kind: 'ended' };
    this.#tools.observer.changed();
    this.#tools.observer.finished();
  }

  /** `ahead`: lanes of this phase that began with the sequence. */
  async #runPhase(phase: PlanPhase, ahead: readonly Promise<number>[]): Promise<void> {
    const lanes = this.#lanes(phase, 'with_phase');
    // Told after the steps were begun, so that no observer stands between the trigger and the command.
    if (this.active) this.#tools.observer.phaseStarted(phase);
    const failures = await Promise.all([...ahead, ...lanes]);
    if (this.active)
      this.#tools.observer.phaseFinished(
        phase,
        failures.reduce((sum, count) => sum + count, 0),
      );
  }

  /** Begins the lanes of a phase that begin now; each tells how many of its steps have failed. */
  #lanes(phase: PlanPhase, begins: Lane<PlanStep>['begins']): readonly Promise<number>[] {
    return lanesOf(phase.steps)
      .filter((lane) => lane.begins === begins)
      .map((lane) => this.#runLane(lane));
  }

  async #runLane({ ranks }: Lane<PlanStep>): Promise<number> {
    let failed = 0;
    for (const rank of ranks) {
      const running = rank.filter(() => this.active).map((step) => this.#runStep(step));
      for (const outcome of await Promise.all(running)) if (outcome?.kind === 'failed') failed += 1;
    }
    return failed;
  }

  async #runStep(step: PlanStep): Promise<StepOutcome | undefined> {
    if (step.destructive && this.#state.kind === 'cancellable') {
      if (this.#tools.powerIsBack()) {
        this.powerReturned();
        return undefined;
      }
      this.#state = { kind: 'committed' };
    }
    if (!this.active) return undefined;
    const startedAt = this.#tools.clock.wallSeconds();
    const outcome = this.#withinBudget(step);
    this.#note(step, { state: 'running', startedAt });
    const ended = await outcome;
    this.#note(step, {
      state: ended.kind,
      endedAt: this.#tools.clock.wallSeconds(),
      error: ended.kind === 'done' ? null : ended.reason,
    });
    if (ended.kind === 'failed') this.#tools.observer.stepFailed(step, ended.reason);
    return ended;
  }

  /** The step's outcome, or a failure when its budget is used up, whether the actuator notices or not. */
  #withinBudget(step: PlanStep): Promise<StepOutcome> {
    const budget = new AbortController();
    return new Promise((resolve) => {
      const takeBack = this.#tools.later(step.budgetSeconds * 1000, () => {
        budget.abort();
        const reason = `not done within its ${String(step.budgetSeconds)} s; left behind`;
        resolve({ kind: 'failed', how: 'timeout', reason });
      });
      const settle = (outcome: StepOutcome) => {
        takeBack();
        resolve(outcome);
      };
      this.#tools.actuator
        .perform(step, budget.signal)
        .then(settle, (bug: unknown) => settle(failed(`internal error: ${String(bug)}`)));
    });
  }

  #note(step: PlanStep, change: Partial<SequenceStep>): void {
    const before = this.#steps.get(step.id) ?? pending(step);
    this.#steps.set(step.id, { ...before, ...change });
    this.#tools.observer.changed();
  }
}

function stepsOf(plan: Plan): readonly PlanStep[] {
  return plan.phases.flatMap(({ steps }) => steps);
}

function pending(step: PlanStep): SequenceStep {
  return {
    id: step.id,
    phase: step.phase,
    target: step.target,
    state: 'pending',
    startedAt: null,
    endedAt: null,
    budgetSeconds: step.budgetSeconds,
    error: null,
  };
}
