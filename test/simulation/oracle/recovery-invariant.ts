// Checks what a boot reports of the one before: the steps done, if journals of it exist, and nothing else.
import type { Checker } from './checker.js';

export class RecoveryInvariant {
  readonly #checker: Checker;
  /** Steps ran on this boot, and the disk had room for the record. */
  #hasBegun = false;
  #begunMs = 0;
  /** The same on the boot before, and its journals stayed. */
  #isToBeTold = false;

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  began(): void {
    const { tmpfs, machine } = this.#checker.world;
    if (tmpfs.full) return;
    this.#hasBegun = true;
    this.#begunMs = machine.monotonicMs();
  }

  /** Without a running sequence its journal replaces the previous one. Its first step has already started. */
  triggered(): void {
    const { world, memory } = this.#checker;
    const runs = [...memory.fired.values()].some(({ sequenceOver }) => !sequenceOver);
    if (!runs && this.#begunMs < world.machine.monotonicMs()) this.#hasBegun = false;
  }

  journalsLost(): void {
    this.#hasBegun = false;
  }

  hostDown(): void {
    this.#isToBeTold = this.#hasBegun && this.#checker.world.site.plant.journalsStay;
    this.#hasBegun = false;
  }

  /** A daemon has started. */
  told(done: string | null): void {
    const rule = 'another boot hears what had been done, once';
    if (done === null && this.#isToBeTold) this.#checker.violated(rule, 'nothing was told');
    if (done !== null && !this.#checker.world.site.plant.journalsStay) this.#checker.violated(rule, done);
    this.#isToBeTold = false;
  }
}
