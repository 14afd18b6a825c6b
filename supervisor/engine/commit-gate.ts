// Holds what shows a change of the power source until the snapshot has it: a daemon that is killed after an event must know of
// it when it starts again. One commit serves all changes of a turn of the loop. Commands never wait here.
import type { Clock } from '../../shared/runtime/clock.js';
import type { SetTimer } from '../host/timer.js';

/** A fleet that loses its power UPS by UPS is saved ten times a second. */
const minIntervalMs = 100;

export interface CommitGateDependencies {
  readonly clock: Clock;
  readonly setTimer: SetTimer;
  /** Writes the snapshot; never throws. A failed write holds nothing back. */
  readonly commit: () => void;
}

export class CommitGate {
  readonly #deps: CommitGateDependencies;
  readonly #held: (() => void)[] = [];
  #cancel: (() => void) | undefined;
  #dueAtMs = Infinity;
  #committedAtMs = -Infinity;

  constructor(deps: CommitGateDependencies) {
    this.#deps = deps;
  }

  /** The power source has changed: what is shown from now on waits for the next commit. */
  close(): void {
    if (this.#dueAtMs !== Infinity) return;
    const now = this.#deps.clock.monotonicMs();
    this.#dueAtMs = Math.max(now, this.#committedAtMs + minIntervalMs);
    this.#cancel = this.#deps.setTimer(this.#dueAtMs - now, () => this.settle());
  }

  /** Commits when it is due. Called by its timer, and at every tick in case that was lost. */
  settle(): void {
    if (this.#deps.clock.monotonicMs() < this.#dueAtMs) return;
    this.#deps.commit();
    this.open();
  }

  /** Performs `act` now, or after the commit that is due. Must not throw. */
  pass(act: () => void): void {
    if (this.#dueAtMs === Infinity) act();
    else this.#held.push(act);
  }

  /** The snapshot has been written: performs what has waited, in order. */
  open(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#dueAtMs = Infinity;
    this.#committedAtMs = this.#deps.clock.monotonicMs();
    for (const act of this.#held.splice(0)) act();
  }
}
