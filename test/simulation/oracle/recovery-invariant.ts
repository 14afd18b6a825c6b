// Judges what another boot hears of the one before: what had been done, when journals of it are there, and nothing else.
import type { Checker } from './checker.js';

export class RecoveryInvariant {
  readonly #checker: Checker;
  /** Steps were carried out on this boot, and the disk had room for the word of it. */
  #hasBegun = false;
  #begunMs = 0;
  /** And on the one before it, whose journals stayed. */
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

  /** While none runs, its journal takes the place of the one before; its first step has begun already. */
  triggered(): void {
    const { world, memory } = this.#checker;
    const runs = [...memory.fired.values()].some(({ sequenceOver }) => !sequenceOver);
    if (!runs && this.#begunMs < world.machine.monotonicMs()) this.#hasBegun = false;
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
