// Sequences that run at the same time: they share one power-off, shut down no server twice, and wait for each other where
// one would cut power that another still needs.
import type { Plan, PlanStep, StepAction } from '../../shared/domain/plan.js';
import type { SequenceHistory } from './journal/history.js';
import { abandoned } from './budget.js';
import type { StepOutcome } from './outcome.js';
import type { PowerOff } from './phases/power-off.js';
import type { Sequence } from './run.js';
import { precedesFinalSync } from './run.js';

export class ConcurrentShutdown {
  /** `company` in the journals of its sequences. */
  readonly id: string;
  readonly #running = new Map<string, Sequence>();
  /** Groups whose sequence has ended, while others still run. */
  readonly #ended = new Set<string>();
  /** By `sharedKey`: the work that runs or is done. */
  readonly #outcomes = new Map<string, Promise<StepOutcome>>();
  /** By `sharedKey`: since when a previous daemon had started the work, monotonic ms. */
  readonly #commandedSinceMs = new Map<string, number>();
  readonly #newPowerOff: () => PowerOff;
  #powerOff: PowerOff;

  constructor(id: string, newPowerOff: () => PowerOff) {
    this.id = id;
    this.#newPowerOff = newPowerOff;
    this.#powerOff = newPowerOff();
  }

  get powerOff(): PowerOff {
    return this.#powerOff;
  }

  /** Called before a sequence of this plan starts. In a new outage, steps that no running sequence shares run again. */
  sequenceStarting({ group, phases }: Plan): void {
    if (!this.#ended.delete(group)) return;
    const others = [...this.#running.values()].flatMap(({ plan }) => sharedKeysOf(plan));
    const steps = phases.flatMap((phase) => phase.steps);
    for (const key of sharedKeysOf({ phases })) if (!others.includes(key)) this.#forget(key);
    const isRequested = [...this.#running.keys()].some((other) => this.#powerOff.isRequestedBy(other));
    if (isRequested || !steps.some(isPowerOff)) return;
    this.#powerOff.supersede();
    this.#powerOff = this.#newPowerOff();
  }

  add(group: string, sequence: Sequence): void {
    this.#running.set(group, sequence);
  }

  remove(group: string): void {
    this.#running.delete(group);
    this.#ended.add(group);
  }

  /** Restores the work of previous daemons for one of its sequences. */
  restore({ header, steps, over }: SequenceHistory): void {
    if (over !== null) this.#ended.add(header.group);
    for (const { id, action } of header.plan.phases.flatMap((phase) => phase.steps)) {
      const past = steps.get(id);
      const key = sharedKey(action);
      if (past === undefined || key === null) continue;
      if (past.ended === null)
        this.#commandedSinceMs.set(key, Math.min(past.beganMs, this.#commandedSinceMs.get(key) ?? Infinity));
      else if (isShared(action, past.ended.outcome))
        this.#outcomes.set(key, Promise.resolve(past.ended.outcome));
    }
  }

  /**
   * The time when a previous daemon first started the shared work of the step. The budget counts from then. With more
   * time, another sequence that shares a server would use up its own budget and continue while the server still shuts down.
   */
  commandedSinceMs({ action }: PlanStep): number | undefined {
    const key = sharedKey(action);
    return key === null ? undefined : this.#commandedSinceMs.get(key);
  }

  /** The first caller shuts the server down or cuts the output; the others get the same outcome. */
  once(action: StepAction, signal: AbortSignal, command: () => Promise<StepOutcome>): Promise<StepOutcome> {
    const key = sharedKey(action);
    if (key === null) return command();
    const known = this.#outcomes.get(key);
    if (known !== undefined) return known;
    const outcome = Promise.race([command(), abandoned(signal)]);
    this.#outcomes.set(key, outcome);
    void outcome.then(
      (ended) => {
        if (!isShared(action, ended) && this.#outcomes.get(key) === outcome) this.#forget(key);
      },
      // The caller reports it.
      () => undefined,
    );
    return outcome;
  }

  /**
   * The wait of a step of `group`. The power-off of this host waits for the servers of all other groups, which this host shuts
   * down. The output of a UPS waits for the servers that it feeds. The budgets of those steps bound the wait.
   */
  gate(group: string, step: PlanStep): Promise<void> | null {
    const waits = [...this.#running]
      .filter(([other, { plan }]) => other !== group && takesPowerFrom(step, plan))
      .flatMap(([, sequence]) => sequence.serversDone() ?? []);
    return waits.length === 0 ? null : Promise.all(waits).then(() => undefined);
  }

  #forget(key: string): void {
    this.#outcomes.delete(key);
    this.#commandedSinceMs.delete(key);
  }
}

/** Whether the step cuts power or control that a plan of another group still needs. */
export function takesPowerFrom({ action }: PlanStep, { fedBy, phases }: Plan): boolean {
  switch (action.kind) {
    case 'poweroff':
    case 'poweroffDelegate':
      return phases.some(precedesFinalSync);
    case 'upsOutputOff':
      return fedBy.includes(action.ups) && phases.some(precedesFinalSync);
    case 'wall':
    case 'stopVirtualMachines':
    case 'stopCompose':
    case 'stopContainers':
    case 'sync':
    case 'unmount':
    case 'remote':
      return false;
  }
}

function isPowerOff({ action }: PlanStep): boolean {
  return action.kind === 'poweroff' || action.kind === 'poweroffDelegate';
}

/** Work that several plans have and that is done once; null for a step that each plan does for itself. */
function sharedKey(action: StepAction): string | null {
  // Without a final command it is one of several steps of the host delegate.
  if (action.kind === 'remote') return action.work.final === null ? null : `server ${action.work.server}`;
  return action.kind === 'upsOutputOff' ? `output ${action.ups}` : null;
}

/** An output that was not cut, because it failed or still fed something, is tried again by the next plan that has it. */
function isShared({ kind }: StepAction, outcome: StepOutcome): boolean {
  return kind !== 'upsOutputOff' || outcome.kind === 'done';
}

function sharedKeysOf({ phases }: Pick<Plan, 'phases'>): readonly string[] {
  return phases.flatMap(({ steps }) => steps.flatMap(({ action }) => sharedKey(action) ?? []));
}
