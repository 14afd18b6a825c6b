// Maintenance of the database between flushes: roll-ups, retention, release of free space. One round at a time.
import type { StorageSettings } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { Cutoffs } from './cutoffs.js';
import { dropNotifications } from './notifications.js';
import { retain } from './retention.js';
import { rollUp } from './rollup.js';
import type { Store } from './store.js';

/** Steps of one round, a minute: more than 1,000 UPSes need. */
const maxSteps = 300;

type KeptFor = Pick<StorageSettings, 'retention' | 'notifications'>;

export class Maintenance {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #cutoffs: Cutoffs;
  #running: Promise<void> = Promise.resolve();
  #busy = false;
  #stopped = false;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#cutoffs = new Cutoffs(clock);
  }

  /** Runs the due steps. Settles when they are done, or immediately while an earlier round runs. */
  round(settings: KeptFor): Promise<void> {
    if (this.#busy || this.#stopped) return Promise.resolve();
    this.#busy = true;
    this.#running = this.#round(settings).finally(() => (this.#busy = false));
    return this.#running;
  }

  /** Ends the round after its current step. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #round({ retention, notifications }: KeptFor): Promise<void> {
    for (let step = 0; step < maxSteps && !this.#stopped; step += 1) {
      const now = this.#clock.wallSeconds();
      const done = await this.#store.perform(
        async (db) =>
          (await rollUp(db, now)) ||
          (await dropNotifications(db, notifications, now, this.#cutoffs)) ||
          (await retain(db, retention, now, this.#cutoffs)),
      );
      // The store has reported the fault; the next round tries again.
      if (!done.ok || !done.value) return;
    }
  }
}
