// What carries a step out. The same plan runs with any of these: for real, or rehearsed without touching anything.
import type { PlanStep } from '../../shared/domain/plan.js';
import { unreachable } from '../../shared/domain/unreachable.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { StepOutcome } from './outcome.js';
import type { PowerOff, PowerOffTools } from './phases/power-off.js';
import { tellUsers } from './phases/wall.js';

export interface Actuator {
  /**
   * Begins the step before it returns. When `signal` is aborted the step's budget is used up: let go of everything
   * at once; nobody waits any more.
   */
  perform(step: PlanStep, signal: AbortSignal): Promise<StepOutcome>;
}

/** Runs every step for real; `run` is what starts local commands. */
export function realActuator(powerOff: Pick<PowerOff, 'perform'>, run: PowerOffTools['run']): Actuator {
  return {
    perform: ({ action }, signal) => {
      switch (action.kind) {
        case 'wall':
          return tellUsers(run, action.message, signal);
        case 'poweroff':
          return powerOff.perform(action, signal);
        default:
          return unreachable(action);
      }
    },
  };
}

/** Logs what each step would run and runs none. */
export function rehearsal(log: Logger): Actuator {
  return {
    perform: (step) => {
      log.info(`dry run: would ${describeAction(step)}`, { category: 'shutdown' });
      return Promise.resolve({ kind: 'done' });
    },
  };
}

/** A step in words: what is done to which target. */
export function describeAction({ action, target }: PlanStep): string {
  switch (action.kind) {
    case 'wall':
      return `tell ${target}: ${action.message}`;
    case 'poweroff':
      return `power off ${target} with: ${action.command.join(' ')}`;
    default:
      return unreachable(action);
  }
}
