// "No finished step runs again after a crash; no server is commanded twice at the same time."
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import { Invariant } from './invariant.js';
import { keyOf } from './step-record.js';

export class Repetition extends Invariant {
  #begun: { readonly key: string; readonly isRunning: boolean }[] = [];

  /** Before the record has it; judged when the event of a new outage is known, which repeats what ended. */
  began(step: PlanStep): void {
    const { action, id } = step;
    const key = keyOf(step);
    const before = this.facts.steps.of(key);
    // Each sequence has its own of these; the power-off has tries, and an output that was not cut is tried again.
    const isOfEach =
      ['wall', 'awaitOff', 'commandAgain', 'poweroffDelegate'].includes(action.kind) || id.endsWith('/wall');
    const isTriedAgain = action.kind === 'upsOutputOff' && before?.outcome?.kind !== 'done';
    if (before === undefined || isOfEach || isTriedAgain || before.mayRunAgain) return;
    this.#begun.push({ key, isRunning: before.endedMs === null });
  }

  checked(): void {
    const { events } = this.facts;
    const isAnother = events.some(({ type }) => type === 'SHUTDOWN_TRIGGERED');
    for (const { key, isRunning } of this.#begun) {
      if (isRunning) this.facts.violated('nothing is commanded twice at the same time', key);
      else if (!isAnother) this.facts.violated('no finished step runs again', key);
    }
    this.#begun = [];
  }

  daemonDied(): void {
    this.#begun = [];
  }
}
