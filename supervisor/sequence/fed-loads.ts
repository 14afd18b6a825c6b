// Which servers and hosts the last sequences have shut down, for the decision to cut an output. Keeps no progress of its own.
import type { Plan, PlanStep } from '../../shared/domain/plan.js';
import type { SequenceModel } from '../../shared/domain/status-model.js';
import type { FedLoad } from '../policy/output.js';

/** The parts of a sequence that say how far it is. */
interface LiveSequence {
  readonly plan: Plan;
  readonly state: { readonly kind: 'cancellable' | 'committed' | 'cancelled' | 'ended' };
  model(): SequenceModel;
}

/** The parts of a journal. */
interface PastSequence {
  readonly header: { readonly plan: Plan };
  readonly steps: ReadonlyMap<string, { readonly ended: object | null }>;
}

/** The last sequence of a group. */
interface Work {
  readonly plan: Plan;
  /** Past the point of no return; before it nothing is off. */
  readonly isCommitted: () => boolean;
  readonly hasEnded: (step: PlanStep) => boolean;
}

export class FedLoads {
  #plans: readonly Plan[] = [];
  readonly #last = new Map<string, Work>();

  loaded(plans: readonly Plan[]): void {
    this.#plans = plans;
  }

  began(sequence: LiveSequence): void {
    this.#last.set(sequence.plan.group, {
      plan: sequence.plan,
      isCommitted: () => sequence.state.kind === 'committed' || sequence.state.kind === 'ended',
      hasEnded: ({ id }) => {
        const model = sequence.model();
        const step = 'steps' in model ? model.steps.find((one) => one.id === id) : undefined;
        return step?.state === 'done' || step?.state === 'failed';
      },
    });
  }

  /** The sequence of a previous daemon on this boot; `isCommitted`: past the point of no return. */
  restored({ header: { plan }, steps }: PastSequence, isCommitted: boolean): void {
    this.#last.set(plan.group, {
      plan,
      isCommitted: () => isCommitted,
      hasEnded: ({ id }) => (steps.get(id)?.ended ?? null) !== null,
    });
  }

  /** Every target of the present plans: each server under its owner, and this host under every group that powers it off. */
  all(): readonly FedLoad[] {
    const ended = this.#endedTargets();
    return this.#plans.flatMap(({ group, phases }) =>
      phases
        .flatMap(({ steps }) => steps)
        .flatMap((step) => {
          const name = targetOf(step);
          // With drain_on_local_shutdown the plan of this host has the servers of other groups too, each in the lane of its owner.
          const isOther =
            step.action.kind === 'remote' && step.lane !== group && step.lane !== `${group}/with_local`;
          return name === null || isOther ? [] : [{ name, group, endedBy: ended.get(name) ?? [] }];
        }),
    );
  }

  #endedTargets(): ReadonlyMap<string, readonly string[]> {
    const ended = new Map<string, readonly string[]>();
    for (const [group, { plan, isCommitted, hasEnded }] of this.#last) {
      if (!isCommitted()) continue;
      for (const step of plan.phases.flatMap(({ steps }) => steps)) {
        const name = targetOf(step);
        if (name !== null && isOff(step, hasEnded(step)))
          ended.set(name, [...(ended.get(name) ?? []), group]);
      }
    }
    return ended;
  }
}

/**
 * The one place that says from when on a target needs no power: its step has ended, with success or without. This host goes
 * down at the end of its sequence; the delay of the output covers that.
 */
function isOff({ action }: PlanStep, hasEnded: boolean): boolean {
  return action.kind !== 'remote' || hasEnded;
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
    case 'upsOutputOff':
      return null;
  }
}

const thisHost = 'this host';
