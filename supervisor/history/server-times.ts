// Sends to storage how long servers took to log in, to run their command and to be off. Never waits: beyond its bound, and
// where no history is kept, measurements are dropped.
import type { ServerTime } from '../../shared/domain/server-time.js';
import type { storageContract } from '../../shared/protocol/storage.js';
import { maxServerTimes, storageFailure } from '../../shared/protocol/storage.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** Three for each of more servers than any installation has. */
const maxWaiting = 12_000;
const deadlineMs = 5_000;

export class ServerTimeQueue {
  readonly #storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  #waiting: readonly ServerTime[] = [];
  #isInFlight = false;

  constructor(storage: Pick<WorkerHandle<typeof storageContract>, 'request'>) {
    this.#storage = storage;
  }

  push(times: readonly ServerTime[]): void {
    this.#waiting = [...this.#waiting, ...times].slice(-maxWaiting);
  }

  /** Sends what waits, again at the next tick when storage has not taken it: it recognises what it has. */
  tick(): void {
    if (this.#isInFlight || this.#waiting.length === 0) return;
    const times = this.#waiting.slice(0, maxServerTimes);
    this.#isInFlight = true;
    void this.#storage.request('servers.measured', { times }, deadlineMs).then((outcome) => {
      this.#isInFlight = false;
      if (!outcome.ok && outcome.error.code !== storageFailure.disabled) return;
      const taken = new Set(times);
      this.#waiting = this.#waiting.filter((one) => !taken.has(one));
    });
  }
}
