// What carries a step out. The same plan runs with any of these: for real, or rehearsed without touching anything.
import type { PlanStep, StepAction } from '../../shared/domain/plan.js';
import type { Logger } from '../../shared/runtime/log.js';
import { actionInWords } from './action-words.js';
import type { StepOutcome } from './outcome.js';

export interface Actuator {
  /**
   * Begins the step before it returns. `step.budgetSeconds` is what is left of its budget: less than the plan says
   * where the step had been begun before a restart. When `signal` is aborted the budget is used up: let go of
   * everything at once; nobody waits any more.
   */
  perform(step: PlanStep, signal: AbortSignal): Promise<StepOutcome>;
}

export type ActionKind = StepAction['kind'];
export type ActionOf<K extends ActionKind> = Extract<StepAction, { kind: K }>;

/** Carries out the actions of one kind, as `Actuator.perform` says. Never rejects for an expected failure. */
export type Performer<K extends ActionKind> = (
  action: ActionOf<K>,
  step: PlanStep,
  signal: AbortSignal,
) => Promise<StepOutcome>;

/** One performer for each kind of action: a kind that is new does not compile without its own. */
export type Performers = { readonly [K in ActionKind]: Performer<K> };

/** Runs every step for real. */
export function realActuator(performers: Performers): Actuator {
  return {
    perform: (step, signal) => {
      // The table holds for each kind the performer of that kind, which the compiler cannot follow through a union.
      const perform = performers[step.action.kind] as Performer<ActionKind>;
      return perform(step.action, step, signal);
    },
  };
}

/** Logs what each step would run and runs none. */
export function rehearsal(log: Logger): Actuator {
  return {
    perform: (step) => {
      log.info(`dry run: would ${actionInWords(step)}`, { category: 'shutdown' });
      return Promise.resolve({ kind: 'done' });
    },
  };
}
