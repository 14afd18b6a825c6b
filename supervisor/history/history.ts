// What is kept and told: every event and sample to the storage worker, every message to the services. Nothing waits for
// either; while they are away bounded queues hold what they can.
import { randomUUID } from 'node:crypto';
import type { EventType } from '../../shared/domain/events.js';
import { metricValuesOf } from '../../shared/domain/metrics.js';
import type { UpsRow } from '../../shared/domain/status-model.js';
import { version } from '../../shared/domain/version.js';
import type { NotificationTelemetry, StorageTelemetry } from '../../shared/protocol/api.js';
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import { unanswered } from '../../shared/protocol/contract.js';
import type { Deletion, storageContract } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import { JournalCache } from '../sequence/journal/cache.js';
import { Notifications } from '../notifications/notifications.js';
import { storageSpec } from '../workers/worker-specs.js';
import { ShutdownNote } from './shutdown-note.js';
import type { JournalStore } from '../sequence/journal/journal.js';
import { storageSlice } from '../workers/worker-settings.js';
import type { StoredEventRow } from './write-queue.js';
import { WriteQueue } from './write-queue.js';
import type { Supervision } from '../supervision/supervision.js';
import { previousShutdown } from '../sequence/recovery/recovery.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** A person waits for it; a disk that needs longer has failed for him. */
const deleteDeadlineMs = 5_000;

export interface HistoryDependencies {
  readonly supervision: Supervision;
  readonly clock: Clock;
  readonly log: Logger;
  readonly bootId: string;
  /** What those of another boot say was done of a shutdown is recorded, and then they are removed. */
  readonly journals: JournalStore;
  /** The power of the group is back, confirmed. */
  readonly outageIsOver: (group: string) => boolean;
  /** Rows that are in the history now, in order. */
  readonly stored: (rows: readonly StoredEventRow[]) => void;
}

export class History {
  readonly #clock: Clock;
  readonly #worker: WorkerHandle<typeof storageContract>;
  readonly #queue: WriteQueue;
  readonly #notifications: Notifications;
  readonly #note: ShutdownNote;
  /** For the sequences: what they write to these is noted for the next boot. */
  readonly journals: JournalStore;
  readonly #log: Logger;
  readonly #stored: HistoryDependencies['stored'];
  #enabled: boolean;

  /** Starts the storage worker and records this start of the daemon. */
  constructor(
    configuration: Configuration,
    { supervision, clock, log, bootId, journals, outageIsOver, stored }: HistoryDependencies,
  ) {
    const { statistics } = configuration;
    this.#clock = clock;
    this.#log = log;
    this.#stored = stored;
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
    const run = randomUUID();
    const notifications = new Notifications(configuration, {
      supervision,
      storage: this.#worker,
      clock,
      log,
      run,
    });
    this.#notifications = notifications;
    const atHand = new JournalCache(journals);
    this.journals = atHand;
    this.#note = new ShutdownNote({ storage: this.#worker, run, journals: atHand, outageIsOver });
    this.#queue = new WriteQueue({
      storage: this.#worker,
      clock,
      run,
      flushIntervalMs: statistics.flushIntervalMs,
      stored,
      begun: ({ type, detail }) => {
        journals.removePreviousBoots();
        this.#note.begun();
        log.info(`${type}: ${detail}`, { category: 'lifecycle', event_type: type });
        notifications.recorded({ source: 'daemon', type, detail });
      },
      dropped: (message) => log.warning(message),
    });
    this.#queue.begin({
      bootId,
      version,
      at: clock.wallSeconds(),
      recovered: previousShutdown(journals) ?? null,
    });
  }

  get workerName(): string {
    return this.#worker.name;
  }

  /** The storage worker, for what others keep with the history. */
  get storage(): Pick<WorkerHandle<typeof storageContract>, 'request'> {
    return this.#worker;
  }

  get telemetry(): StorageTelemetry {
    const { samplesDropped, flushSeconds } = this.#queue.figures;
    return { samplesDropped, flushSeconds: { counts: [...flushSeconds.counts], sum: flushSeconds.sum } };
  }

  get notifications(): NotificationTelemetry {
    const { pending, sent, cancelled } = this.#notifications.figures;
    return { pending, sent, cancelled };
  }

  record(event: RecordedEvent): void {
    const { source, type, detail } = event;
    this.#queue.record({ at: this.#clock.wallSeconds(), source, type, detail });
    this.#notifications.recorded(event);
  }

  /** A message to people, in policy's own words. */
  notify(event: RecordedEvent): void {
    this.#notifications.notify(event);
  }

  /** Sends a test message through every service; what each of them said. */
  testNotifications(): ReturnType<Notifications['test']> {
    return this.#notifications.test();
  }

  /**
   * Deletes rows of a UPS from the history. Storage itself records who did, and how many there were. When it gives no
   * answer in time it may delete them yet, and record it: that the answer is missing is recorded here.
   */
  async deleteEvents(
    source: string,
    principal: string,
    items: readonly Deletion[],
  ): Promise<Outcome<{ deleted: number }>> {
    const order = { source, principal, items, at: this.#clock.wallSeconds() };
    const outcome = await this.#worker.request('events.delete', order, deleteDeadlineMs);
    if (!outcome.ok) {
      const { code, message } = outcome.error;
      const detail = `${principal}: delete events: failed: ${message}; whether they were deleted is not known`;
      if (unanswered.includes(code)) this.#recordUnanswered(source, detail);
      return outcome;
    }
    const { deleted, type, id, ts, detail } = outcome.value;
    this.#logDeletion(source, type, detail);
    this.#stored([{ id, ts, source, type, detail }]);
    return { ok: true, value: { deleted } };
  }

  #recordUnanswered(source: string, detail: string): void {
    const type = 'EVENTS_DELETE_FAILED';
    this.record({ source, type, detail });
    this.#logDeletion(source, type, detail);
  }

  #logDeletion(source: string, type: EventType, detail: string): void {
    this.#log.info(`${type}: ${detail}`, { category: 'audit', event_type: type, group: source });
  }

  /** A poll has ended; one that says something becomes a sample. `row` is what policy made of it, where it knows the UPS. */
  polled(groupId: string, { outcome }: UpsPolled, row: UpsRow | undefined): void {
    if (!this.#enabled || outcome.kind !== 'reading' || row === undefined) return;
    const values = metricValuesOf(outcome.reading, row);
    if (values !== null) this.#queue.sample(groupId, this.#clock.wallSeconds(), values);
  }

  apply(configuration: Configuration): void {
    this.#enabled = configuration.statistics.enabled;
    this.#queue.flushIntervalMs = configuration.statistics.flushIntervalMs;
    this.#worker.reconfigure(storageSlice(configuration));
    this.#notifications.apply(configuration);
  }

  workerReady(name: string): void {
    if (name === this.#worker.name) this.#queue.ready();
    this.#notifications.workerReady(name);
  }

  workerLost(name: string): void {
    this.#notifications.workerLost(name);
  }

  tick(): void {
    this.#queue.tick();
    this.#notifications.tick();
    this.#note.tick();
  }

  /** Records the clean stop behind everything that waits; settles when it is on disk, or after `withinMs`. */
  async end(reason: string, withinMs: number): Promise<void> {
    // This may be the end of the machine.
    this.#note.tick();
    await this.#notifications.end(withinMs);
    const late = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
    await Promise.race([this.#queue.end(this.#clock.wallSeconds(), reason), late]);
  }
}
