// Holds the events and rows of a change of the power source until the snapshot has it: a daemon that is killed after an
// event must know the event when it starts again. The first change is committed immediately, those of the next 100 ms
// together. Commands never wait here.
import type { Clock } from '../../shared/runtime/clock.js';
import type { SetTimer } from '../host/timer.js';

/** A fleet that loses its power UPS by UPS is saved ten times a second. */
const usualIntervalMs = 100;

export interface EventHoldDependencies {
  readonly clock: Clock;
  readonly setTimer: SetTimer;
  /** Writes the snapshot; never throws. A failed write holds nothing back. */
  readonly commit: () => unknown;
  /** The minimum time between two commits; 0 in the simulation, whose judge checks after each input. */
  readonly commitIntervalMs?: number;
}

export class EventHold {
  readonly #deps: EventHoldDependencies;
  readonly #held: (() => void)[] = [];
  #cancel: (() => void) | undefined;
  #dueAtMs = Infinity;
  #committedAtMs = -Infinity;

  constructor(deps: EventHoldDependencies) {
    this.#deps = deps;
  }

  /** The power source has changed: commits now, or holds everything from now on until the next commit. */
  begin(): void {
    if (this.#dueAtMs !== Infinity) return;
    const { commitIntervalMs = usualIntervalMs } = this.#deps;
    const now = this.#deps.clock.monotonicMs();
    this.#dueAtMs = Math.max(now, this.#committedAtMs + commitIntervalMs);
    if (this.#dueAtMs === now) this.settle();
    else this.#cancel = this.#deps.setTimer(this.#dueAtMs - now, () => this.settle());
  }

  /** Commits when it is due. Called by its timer, and at every tick in case that was lost. */
  settle(): void {
    if (this.#deps.clock.monotonicMs() < this.#dueAtMs) return;
    this.#deps.commit();
    this.release();
  }

  /** Performs `act` now, or after the commit that is due. Must not throw. */
  perform(act: () => void): void {
    if (this.#dueAtMs === Infinity) act();
    else this.#held.push(act);
  }

  /** The snapshot has been written: performs what has waited, in order. */
  release(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#dueAtMs = Infinity;
    this.#committedAtMs = this.#deps.clock.monotonicMs();
    for (const act of this.#held.splice(0)) act();
  }
}
