// What is kept for later: every event and sample, through a bounded queue to the storage worker. Nothing waits for it;
// while storage is away the queue holds what it can.
import { randomUUID } from 'node:crypto';
import type { MetricValues } from '../shared/domain/metrics.js';
import { metricValuesOf } from '../shared/domain/metrics.js';
import type { UpsRow } from '../shared/domain/status-model.js';
import { version } from '../shared/domain/version.js';
import type { StorageTelemetry } from '../shared/protocol/api.js';
import type { UpsPolled } from '../shared/protocol/poller.js';
import type { storageContract } from '../shared/protocol/storage.js';
import type { Clock } from '../shared/runtime/clock.js';
import type { Logger } from '../shared/runtime/log.js';
import type { Configuration } from './config/configuration.js';
import type { RecordedEvent } from './event-recorder.js';
import { storageSpec } from './roster.js';
import { storageSlice } from './slices.js';
import { StorageQueue } from './storage-queue.js';
import type { Supervision } from './supervision.js';
import type { WorkerHandle } from './worker-spec.js';

export interface ChronicleTools {
  readonly supervision: Supervision;
  readonly clock: Clock;
  readonly log: Logger;
  readonly bootId: string;
}

export class Chronicle {
  readonly #clock: Clock;
  readonly #worker: WorkerHandle<typeof storageContract>;
  readonly #queue: StorageQueue;
  #enabled: boolean;

  /** Starts the storage worker and records this start of the daemon. */
  constructor(configuration: Configuration, { supervision, clock, log, bootId }: ChronicleTools) {
    const { statistics } = configuration;
    this.#clock = clock;
    this.#enabled = statistics.enabled;
    this.#worker = supervision.start(
      storageSpec(configuration, {
        onEvent: {
          'storage.changed': ({ available, message }) => {
            if (available) log.info(`the history database is ${message}`);
            else log.error(`the history database: ${message}`);
          },
        },
        serve: {},
      }),
    );
    this.#queue = new StorageQueue({
      storage: this.#worker,
      clock,
      run: randomUUID(),
      flushIntervalMs: statistics.flushIntervalMs,
      stored: () => undefined,
      begun: ({ type, detail }) => {
        log.info(`${type}: ${detail}`, { category: 'lifecycle', event_type: type });
      },
      dropped: (message) => log.warning(message),
    });
    this.#queue.begin({ bootId, version, at: clock.wallSeconds(), journalBootId: null });
  }

  get workerName(): string {
    return this.#worker.name;
  }

  get telemetry(): StorageTelemetry {
    const { samplesDropped, flushSeconds } = this.#queue.figures;
    return { samplesDropped, flushSeconds: { counts: [...flushSeconds.counts], sum: flushSeconds.sum } };
  }

  record({ source, type, detail }: RecordedEvent): void {
    this.#queue.record({ at: this.#clock.wallSeconds(), source, type, detail });
  }

  /** A poll has ended; a good one becomes a sample. `row` is what policy made of it. */
  polled(groupId: string, { outcome }: UpsPolled, row: UpsRow): void {
    if (!this.#enabled || outcome.kind !== 'reading') return;
    const values: MetricValues = metricValuesOf(
      outcome.reading,
      row.timeOnBattery > 0 ? row.depletionRate : null,
    );
    this.#queue.sample(groupId, this.#clock.wallSeconds(), values);
  }

  apply(configuration: Configuration): void {
    this.#enabled = configuration.statistics.enabled;
    this.#queue.flushIntervalMs = configuration.statistics.flushIntervalMs;
    this.#worker.reconfigure(storageSlice(configuration));
  }

  /** The storage worker is ready (again). */
  ready(): void {
    this.#queue.ready();
  }

  tick(): void {
    this.#queue.tick();
  }

  /** Records the clean stop behind everything that waits; settles when it is on disk, or after `withinMs`. */
  async end(reason: string, withinMs: number): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
    await Promise.race([this.#queue.end(this.#clock.wallSeconds(), reason), late]);
  }
}
