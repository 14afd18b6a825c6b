// The faults of a case, while they last. Every injected fault is healed, whatever happens: a disk that stays frozen
// outlives the case and blocks every process that writes to it.
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../scripts/simulated-upsd/random.js';
import type { Case, Fault, Heal } from './fault.js';
import { parts } from './fault.js';
import { faultNamed } from './faults/catalogue.js';
import type { Testbed } from './testbed.js';

/** Maximum time between the two faults of a pair. */
export const betweenFaultsMs = 600;

export class FaultSet {
  readonly faults: readonly Fault[];
  readonly random: () => number;
  readonly #lasting: (() => Promise<void>)[] = [];
  readonly #passing: { readonly heal: () => Promise<void>; readonly over: Promise<void> }[] = [];
  readonly #failures: unknown[] = [];
  #isEnding = false;

  /** `faults` in the order of injection. */
  constructor(faults: readonly Fault[], random: () => number) {
    this.faults = faults;
    this.random = random;
  }

  static of({ faults, seed }: Pick<Case, 'faults' | 'seed'>): FaultSet {
    // Faults injected through a debugger come first, faults of the whole daemon last.
    const ordered = faults.map(faultNamed).sort((a, b) => parts.indexOf(a.part) - parts.indexOf(b.part));
    return new FaultSet(ordered, seededRandom(seed));
  }

  async inject(testbed: Testbed): Promise<void> {
    for (const [index, { inject, persists, lastsMs }] of this.faults.entries()) {
      if (index > 0) await pause(this.random() * betweenFaultsMs);
      if (this.#isEnding) return;
      const heal = this.#once(await inject(testbed, this.random));
      if (persists) this.#lasting.push(heal);
      else this.#passing.push({ heal, over: pause(lastsMs).then(heal) });
      if (this.#isEnding) await heal();
    }
  }

  /** May be called twice. Waits for faults that end by themselves. Throws the failures of heals, once. */
  async heal(): Promise<void> {
    for (const heal of this.#lasting.toReversed()) await heal();
    await Promise.all(this.#passing.map(({ over }) => over));
    const failures = this.#failures.splice(0);
    if (failures.length > 0)
      throw new AggregateError(failures, `not healed: ${failures.map(String).join('; ')}`);
  }

  /** Does not wait for faults that end by themselves, prevents further injections, and never throws. */
  async healImmediately(): Promise<void> {
    this.#isEnding = true;
    const passing = this.#passing.map(({ heal }) => heal);
    for (const heal of [...this.#lasting, ...passing].toReversed()) await heal();
  }

  /** Heals at the first call; never rejects, so that the other faults are healed too. */
  #once(heal: Heal): () => Promise<void> {
    let healed: Promise<void> | undefined;
    const attempt = async (): Promise<void> => {
      try {
        await heal();
      } catch (error) {
        this.#failures.push(error);
      }
    };
    return () => (healed ??= attempt());
  }
}
