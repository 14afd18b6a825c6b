// The database's housekeeping between flushes: roll-ups, retention, giving space back. Never more than one round at a time.
import type { Retention } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { retain } from './retention.js';
import { rollUp } from './rollup.js';
import type { Store } from './store.js';

/**
 * Of one round. A round is due every ten seconds, so this is no limit in daily life; it is one for a clock that jumps
 * ahead by years, which then does not empty the database before somebody has noticed.
 */
const mostSteps = 300;

export class Maintenance {
  readonly #store: Store;
  readonly #clock: Clock;
  #running: Promise<void> = Promise.resolve();
  #busy = false;
  #stopped = false;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Does what is due; settles when it is done, at once while an earlier round is under way. */
  round(retention: Retention): Promise<void> {
    if (this.#busy || this.#stopped) return Promise.resolve();
    this.#busy = true;
    this.#running = this.#round(retention).finally(() => (this.#busy = false));
    return this.#running;
  }

  /** Ends the round under way after its present step. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #round(retention: Retention): Promise<void> {
    for (let step = 0; step < mostSteps && !this.#stopped; step += 1) {
      const now = this.#clock.wallSeconds();
      const done = await this.#store.perform(
        async (db) => (await rollUp(db, now)) || (await retain(db, retention, now)),
      );
      // A fault has been told by the store; the next round tries again.
      if (!done.ok || !done.value) return;
    }
  }
}
