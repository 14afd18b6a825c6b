// Tells systemd that the daemon is up: when every worker is ready, or at the latest after 10 s.
import { countText } from '../../shared/domain/base/format.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { ServiceManager } from '../host/systemd.js';
import type { WorkerView } from '../supervision/supervision.js';

/** With workers that do not start, the daemon reports ready after this time. */
const readyWithinMs = 10_000;

export class ReadyNotice {
  readonly #clock: Clock;
  readonly #manager: ServiceManager;
  readonly #log: Logger;
  readonly #startedAt: number;
  #given = false;

  constructor(clock: Clock, manager: ServiceManager, log: Logger) {
    this.#clock = clock;
    this.#manager = manager;
    this.#log = log;
    this.#startedAt = clock.monotonicMs();
  }

  tick(workers: readonly WorkerView[], upsCount: number): void {
    if (this.#given) return;
    const late = this.#clock.monotonicMs() - this.#startedAt > readyWithinMs;
    const waiting = workers.filter(({ state }) => state !== 'ready').map(({ name }) => name);
    if (waiting.length > 0 && !late) return;
    this.#given = true;
    if (waiting.length > 0) this.#log.error(`started without ${waiting.join(', ')}: still retrying`);
    this.#manager.ready(`watching ${countText(upsCount, 'UPS', 'UPSes')}`);
  }
}
