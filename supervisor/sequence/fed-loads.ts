// Which servers and hosts the record has as shut down, for the decision to cut an output. A fold over the record.
import { kindOf } from '../../shared/domain/actions/table.js';
import type { Plan, PlanStep } from '../../shared/domain/outage/plan.js';
import type { FedLoad } from '../policy/view/output.js';
import type { GroupRecord } from './journal/fold.js';
import { isPastPointOfNoReturn, stepsOf } from './journal/fold.js';

/** Every target of the present plans: each server under its owner, and this host under every group that powers it off. */
export function fedLoads(plans: readonly Plan[], groups: readonly GroupRecord[]): readonly FedLoad[] {
  const ended = endedTargets(groups);
  return plans.flatMap((plan) =>
    stepsOf(plan).flatMap((step) => {
      const name = targetOf(step);
      return name === null || isOfOther(plan.group, step)
        ? []
        : [{ name, group: plan.group, endedBy: ended.get(name) ?? [] }];
    }),
  );
}

/** With drain_on_local_shutdown the plan of this host has the servers of other groups too, each in a lane of its owner. */
function isOfOther(group: string, { action, lane }: PlanStep): boolean {
  return action.kind === 'remote' && lane !== group;
}

function endedTargets(groups: readonly GroupRecord[]): ReadonlyMap<string, readonly string[]> {
  const ended = new Map<string, readonly string[]>();
  // Before the point of no return nothing is off.
  for (const record of groups.filter((one) => isPastPointOfNoReturn(one) && !one.plan.dryRun)) {
    for (const step of stepsOf(record.plan)) {
      const name = targetOf(step);
      if (name !== null && isOff(step, record)) ended.set(name, [...(ended.get(name) ?? []), record.group]);
    }
  }
  return ended;
}

/**
 * The one place that says from when on a target needs no power: it is off, past its time, could not be commanded, or the
 * battery leaves no time to wait, which is the end of its wait; where nothing waits for it, the end of its step. This host goes
 * down at the end of its sequence; the delay of the output covers that.
 */
function isOff({ id, action }: PlanStep, { plan, steps }: GroupRecord): boolean {
  const wait = stepsOf(plan).find(
    (step) => step.action.kind === 'awaitOff' && step.action.commandedBy === id,
  );
  return action.kind !== 'remote' || (steps.get(wait?.id ?? id)?.ended ?? null) !== null;
}

/** Null for a step that ends no machine. */
function targetOf({ action, target }: PlanStep): string | null {
  const { powersOffHost, serverOf } = kindOf(action);
  if (powersOffHost) return thisHost;
  return serverOf(action) === null ? null : target;
}

const thisHost = 'this host';
