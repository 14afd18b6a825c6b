// The supervisor's side of storage without the supervisor: the real queue, with any storage process.
import type { EventType } from '../../../shared/domain/status/events.js';
import { metrics } from '../../../shared/domain/status/metrics.js';
import { linkFailure } from '../../../shared/protocol/contract.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import type { StoredEventRow } from '../../../supervisor/history/write-queue.js';
import { WriteQueue } from '../../../supervisor/history/write-queue.js';
import { is, until } from '../../fixtures/until.js';
import type { StorageProcess } from './storage-process.js';

const tickMs = 25;

export class DaemonSide {
  /** The current process; null while it is replaced. */
  storage: Pick<StorageProcess, 'request'> | undefined;
  readonly acknowledged: StoredEventRow[] = [];
  readonly queue: WriteQueue;
  readonly #timer: NodeJS.Timeout;
  #at = 1_750_000_000;

  constructor(run: string, flushIntervalMs: number) {
    this.queue = new WriteQueue({
      clock: systemClock,
      run,
      flushIntervalMs,
      stored: (rows) => this.acknowledged.push(...rows),
      begun: () => undefined,
      dropped: () => undefined,
      storage: {
        request: (name, params, deadlineMs) =>
          this.storage?.request(name, params, deadlineMs) ??
          Promise.resolve({ ok: false, error: { code: linkFailure.gone, message: 'gone' } }),
      },
    });
    this.#timer = setInterval(() => this.queue.tick(), tickMs);
  }

  attach(storage: Pick<StorageProcess, 'request'>): void {
    this.storage = storage;
    this.queue.ready();
  }

  event(detail: string, type: EventType = 'ON_BATTERY'): void {
    this.queue.record({ at: (this.#at += 1), source: 'office', type, detail });
  }

  /** A sample whose charge identifies it; returns its time. */
  sample(): number {
    this.#at += 1;
    this.queue.sample({ groupId: 'office', at: this.#at, values: metrics.map((_, index) => index) });
    return this.#at;
  }

  /** Waits until everything is acknowledged. */
  async settle(): Promise<void> {
    await until(() => this.queue.figures.eventsWaiting + this.queue.figures.samplesWaiting, is(0));
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
