// Checks what a boot reports of the one before: the steps done, if journals of it exist, and nothing else.
import type { OracleContext } from './oracle-context.js';

export class RecoveryInvariant {
  readonly #context: OracleContext;
  /** Steps ran on this boot, and the disk had room for the record. */
  #hasBegun = false;
  #begunMs = 0;
  /** The same on the boot before, and its journals stayed. */
  #isToBeTold = false;

  constructor(context: OracleContext) {
    this.#context = context;
  }

  began(): void {
    const { tmpfs, machine } = this.#context.world;
    if (tmpfs.full) return;
    this.#hasBegun = true;
    this.#begunMs = machine.monotonicMs();
  }

  /** Without a running sequence its journal replaces the previous one. Its first step has already started. */
  triggered(): void {
    const { world, memory } = this.#context;
    const runs = [...memory.fired.values()].some(({ sequenceOver }) => !sequenceOver);
    if (!runs && this.#begunMs < world.machine.monotonicMs()) this.#hasBegun = false;
  }

  journalsLost(): void {
    this.#hasBegun = false;
  }

  hostDown(): void {
    this.#isToBeTold = this.#hasBegun && this.#context.world.site.plant.journalsStay;
    this.#hasBegun = false;
  }

  /** A daemon has started. */
  told(done: string | null): void {
    const rule = 'another boot hears what had been done, once';
    if (done === null && this.#isToBeTold) this.#context.violated(rule, 'nothing was told');
    if (done !== null && !this.#context.world.site.plant.journalsStay) this.#context.violated(rule, done);
    this.#isToBeTold = false;
  }
}
