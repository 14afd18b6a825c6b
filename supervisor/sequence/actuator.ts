// Performs steps: for real, or as a dry run that only logs. Both run the same plan.
import type { PlanStep } from '../../shared/domain/outage/plan.js';
import { describeAction } from '../../shared/domain/outage/plan.js';
import type { ActionKind, ActionOf } from '../../shared/domain/actions/table.js';
import type { StoppedGuest } from '../../shared/domain/recovery/guest.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { StepOutcome } from './outcome.js';

export interface Actuator {
  /**
   * Starts the step before it returns. `step.budgetSeconds` is the rest of its budget, less than the plan's when the step
   * started before a restart. An aborted `signal` means that the budget is used up: abandon everything immediately.
   */
  perform(step: PlanStep, signal: AbortSignal): Promise<StepOutcome>;
}

/** Takes the guests that a step has found running and is about to stop. Never throws or waits; may be called again. */
export type ReportFound = (guests: readonly StoppedGuest[]) => void;

/** Of a step that stops no guest. */
export const noGuests = (): void => undefined;

/** Performs the actions of one kind, as `Actuator.perform` says. Never rejects for an expected failure. */
export type Performer<K extends ActionKind> = (
  action: ActionOf<K>,
  step: PlanStep,
  signal: AbortSignal,
  found: ReportFound,
) => Promise<StepOutcome>;

/** One performer for each kind of action: a new kind does not compile without one. */
export type Performers = { readonly [K in ActionKind]: Performer<K> };

/** One that performs all of these kinds. */
export function sameFor<K extends ActionKind>(
  kinds: readonly K[],
  performer: Performer<ActionKind>,
): Pick<Performers, K> {
  return Object.fromEntries(kinds.map((kind) => [kind, performer])) as unknown as Pick<Performers, K>;
}

/** `found`: of a step, as `ReportFound` says. A drill stops nothing, and a manual run is not followed by a start. */
export function realActuator(
  performers: Performers,
  found: (step: PlanStep, ...guests: Parameters<ReportFound>) => void = noGuests,
): Actuator {
  return {
    perform: (step, signal) => {
      // `performers[kind]` performs this kind; the compiler cannot follow that through a union.
      const perform = performers[step.action.kind] as Performer<ActionKind>;
      return perform(step.action, step, signal, (guests) => found(step, guests));
    },
  };
}

/** Logs what each step would run, and runs none. */
export function dryRunActuator(log: Logger): Actuator {
  return {
    perform: (step, signal) => {
      if (!signal.aborted) log.info(`dry run: would ${describeAction(step)}`, { category: 'shutdown' });
      return Promise.resolve({ kind: 'done' });
    },
  };
}
