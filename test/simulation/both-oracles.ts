// For the time of their comparison: the oracle and the invariants, alone or beside each other in one world.
import type { Violation } from './invariants/moment.js';
import { Invariants } from './invariants/invariants.js';
import type { Observer } from './observer.js';
import { observers } from './observer.js';
import { Oracle } from './oracle/oracle.js';
import type { World } from './world.js';

const choices = ['old', 'new', 'both'] as const;
export type OracleChoice = (typeof choices)[number];

export const isOracleChoice = (text: string): text is OracleChoice =>
  choices.some((choice) => choice === text);

/** The first broken promise by each; null: it found none, or was not asked. */
export interface Judgement {
  readonly old: Violation | null;
  readonly new: Violation | null;
}

export class Judges {
  readonly observer: Observer;
  readonly figures: Pick<Oracle, 'readings' | 'starts' | 'powerOffs' | 'blackouts'>;
  readonly #old: Oracle | null;
  readonly #new: Invariants | null;

  constructor(choice: OracleChoice, world: World) {
    this.#old = choice === 'new' ? null : new Oracle(world);
    this.#new = choice === 'old' ? null : new Invariants(world);
    const figures = this.#old ?? this.#new;
    if (figures === null) throw new Error('a run has a judge');
    this.figures = figures;
    this.observer = observers([this.#old ?? {}, this.#new?.observer ?? {}]);
  }

  get judgement(): Judgement {
    return { old: this.#old?.violation ?? null, new: this.#new?.violation ?? null };
  }

  /** Nothing that comes later changes the judgement. */
  get isDecided(): boolean {
    return [this.#old, this.#new].every((judge) => judge === null || judge.violation !== null);
  }
}
