// "The next boot reports what was done, once."
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import type { Loss } from '../scenario.js';
import { Invariant } from './invariant.js';

export class NextBoot extends Invariant {
  /** Steps ran on this boot, and the disk had room for the record. */
  #hasBegun = false;
  #begunMs = 0;
  /** The same on the boot before, and its journals stayed. */
  #isToBeTold = false;

  began(step: PlanStep): void {
    void step;
    if (this.facts.world.tmpfs.full) return;
    this.#hasBegun = true;
    this.#begunMs = this.facts.nowMs;
  }

  /** Without a running sequence its journal replaces the previous one. Its first step has already started. Before the record has it. */
  recorded({ type }: RecordedEvent): void {
    if (type !== 'SHUTDOWN_TRIGGERED') return;
    if (this.facts.sequences.running.length === 0 && this.#begunMs < this.facts.nowMs) this.#hasBegun = false;
  }

  lost({ kind }: Loss): void {
    if (kind === 'journals') this.#hasBegun = false;
  }

  hostDown(): void {
    this.#isToBeTold = this.#hasBegun && this.facts.world.site.plant.journalsStay;
    this.#hasBegun = false;
  }

  /** A daemon has started. */
  recovered(done: string | null): void {
    const rule = 'another boot hears what had been done, once';
    if (done === null && this.#isToBeTold) this.facts.violated(rule, 'nothing was told');
    if (done !== null && !this.facts.world.site.plant.journalsStay) this.facts.violated(rule, done);
    this.#isToBeTold = false;
  }
}
