// Which servers and hosts the record has as shut down, for the decision to cut an output. A fold over the record.
import type { Plan, PlanStep } from '../../shared/domain/plan.js';
import type { FedLoad } from '../policy/output.js';
import type { GroupRecord } from './journal/fold.js';
import { isPastPointOfNoReturn, stepsOf } from './journal/fold.js';
import { mayBeSent } from './outcome.js';

/** Every target of the present plans: each server under its owner, and this host under every group that powers it off. */
export function fedLoads(plans: readonly Plan[], groups: readonly GroupRecord[]): readonly FedLoad[] {
  const destroyed = groups.filter((one) => isPastPointOfNoReturn(one) && !one.plan.dryRun);
  const ended = endedTargets(destroyed);
  const until = haltingUntil(plans, destroyed);
  return plans.flatMap((plan) =>
    stepsOf(plan).flatMap((step) => {
      const name = targetOf(step);
      return name === null || isOfOther(plan.group, step)
        ? []
        : [
            {
              ...{ name, group: plan.group, endedBy: ended.get(name) ?? [] },
              mayRunUntilMs: until.get(name) ?? null,
            },
          ];
    }),
  );
}

/** With drain_on_local_shutdown the plan of this host has the servers of other groups too, each in a lane of its owner. */
function isOfOther(group: string, { action, lane }: PlanStep): boolean {
  return action.kind === 'remote' && lane !== group;
}

/** Of groups past their point of no return: before it nothing is off. */
function endedTargets(groups: readonly GroupRecord[]): ReadonlyMap<string, readonly string[]> {
  const ended = new Map<string, readonly string[]>();
  for (const record of groups) {
    for (const step of stepsOf(record.plan)) {
      const name = targetOf(step);
      if (name !== null && isOff(step, record)) ended.set(name, [...(ended.get(name) ?? []), record.group]);
    }
  }
  return ended;
}

/**
 * The one place that says from when on a target needs no power: it is off, past its time, or could not be commanded, which is
 * the end of its wait; where nothing waits for it, the end of its step. This host goes down at the end of its sequence; the
 * delay of the output covers that.
 */
function isOff({ id, action }: PlanStep, { plan, steps }: GroupRecord): boolean {
  const wait = stepsOf(plan).find((one) => one.action.kind === 'awaitOff' && one.action.commandedBy === id);
  return action.kind !== 'remote' || (steps.get(wait?.id ?? id)?.ended ?? null) !== null;
}

/**
 * Servers that have their command and that no wait has seen off, with the end of their `halt_timeout`, in monotonic ms: only a try
 * has reached them, or their wait was cut short, or another plan waits for them. Where no plan waits they are not here.
 */
function haltingUntil(plans: readonly Plan[], groups: readonly GroupRecord[]): ReadonlyMap<string, number> {
  const commanded = new Map<string, number>();
  const seenOff = new Map<string, number>();
  for (const { plan, steps } of groups)
    for (const { id, action } of stepsOf(plan)) {
      const { outcome, atMs } = steps.get(id)?.ended ?? { outcome: null, atMs: 0 };
      if (outcome === null) continue;
      if (action.kind === 'remote' && action.work.final !== null && mayBeSent(outcome))
        raise(commanded, action.work.server, atMs);
      if (action.kind === 'awaitOff' && outcome.kind === 'done') raise(seenOff, action.server, atMs);
    }
  const until = new Map<string, number>();
  for (const { action } of [...plans, ...groups.map(({ plan }) => plan)].flatMap(stepsOf)) {
    if (action.kind !== 'awaitOff') continue;
    const commandedMs = commanded.get(action.server);
    if (commandedMs !== undefined && (seenOff.get(action.server) ?? -Infinity) < commandedMs)
      raise(until, action.server, commandedMs + action.timeoutSeconds * 1000);
  }
  return until;
}

function raise(values: Map<string, number>, key: string, value: number): void {
  values.set(key, Math.max(value, values.get(key) ?? -Infinity));
}

/** Null for a step that ends no machine. */
function targetOf({ action, target }: PlanStep): string | null {
  switch (action.kind) {
    case 'remote':
      // Without a final command it is one of several steps of the host delegate.
      return action.work.final === null ? null : target;
    case 'poweroff':
    case 'poweroffDelegate':
      return thisHost;
    case 'wall':
    case 'stopVirtualMachines':
    case 'stopCompose':
    case 'stopContainers':
    case 'sync':
    case 'unmount':
    case 'awaitOff':
    case 'commandAgain':
    case 'forceShutdown':
    case 'powerdownFlag':
    case 'upsOutputOff':
      return null;
  }
}

const thisHost = 'this host';
