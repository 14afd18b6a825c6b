// Sends to storage how long servers took to log in, to run their command and to be off. Never waits: beyond its bound, and
// where no history is kept, measurements are dropped.
import type { ServerTime } from '../../shared/domain/outage/server-time.js';
import type { storageContract } from '../../shared/protocol/storage.js';
import { maxServerTimes, storageFailure } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import { AppendQueue } from '../queues/append-queue.js';
import { deadlineMs, Turns } from '../queues/turns.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** Three for each of more servers than any installation has. */
const maxWaiting = 12_000;

export class ServerTimeQueue {
  readonly #queue: AppendQueue<ServerTime>;
  readonly #turns: Turns;

  constructor(
    storage: Pick<WorkerHandle<typeof storageContract>, 'request'>,
    clock: Clock,
    log: Pick<Logger, 'warning'>,
  ) {
    this.#queue = new AppendQueue<ServerTime>({
      perRequest: maxServerTimes,
      max: maxWaiting,
      dropped: ({ server }, why) => {
        if (why !== null) log.warning(`a measured time of ${server} cannot be stored: ${why.message}`);
      },
      send: async (times) => {
        const outcome = await storage.request('servers.measured', { times: [...times] }, deadlineMs);
        const isOff = !outcome.ok && outcome.error.code === storageFailure.disabled;
        return isOff ? { ok: true, value: null } : outcome;
      },
    });
    this.#turns = new Turns(clock, () => this.#queue.next());
  }

  push(times: readonly ServerTime[]): void {
    for (const time of times) this.#queue.push(time);
  }

  tick(): void {
    this.#turns.tick();
  }

  /** Storage is ready, or the daemon ends: what waits is sent now. */
  ready(): void {
    this.#turns.ready();
  }
}
