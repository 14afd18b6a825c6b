// The storage worker: gets every event and sample, and a note of the shutdowns that are not over. Nothing waits for it;
// a bounded queue holds what it has not acknowledged.
import { uptime } from 'node:os';
import type { EventType } from '../../shared/domain/status/events.js';
import { tierOf } from '../../shared/domain/status/event-names.js';
import { categoryOf } from '../../shared/domain/status/events.js';
import { metricValuesOf } from '../../shared/domain/status/metrics.js';
import { reportedDate } from '../../shared/domain/ups/battery/install-date.js';
import { powerOf } from '../../shared/domain/ups/energy.js';
import type { ServerTime } from '../../shared/domain/outage/server-time.js';
import type { UpsRow } from '../../shared/domain/status/status-model.js';
import { version } from '../../shared/domain/base/version.js';
import type { StorageTelemetry } from '../../shared/protocol/api.js';
import type { UpsPolled } from '../../shared/protocol/poller.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import { unanswered } from '../../shared/protocol/contract.js';
import type { GaugeRead } from '../../shared/protocol/gauges.js';
import type { ImportBatch, ImportResult } from '../../shared/protocol/history-import.js';
import type { EnergyCounted } from '../../shared/protocol/energy-counted.js';
import type {
  AssessedBattery,
  Deletion,
  HistorySettings,
  StorageSettings,
} from '../../shared/protocol/storage.js';
import { maxStatusLength, storageContract, storageFailure } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { feedsHost } from '../config/derive/host-feed.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import { ChangeQueue } from '../history/change-queue.js';
import { ShutdownNote } from '../history/shutdown-note.js';
import { ServerTimeQueue } from '../history/server-times.js';
import { ShutdownRecords } from '../history/shutdown-records.js';
import type { StoredEventRow } from '../history/write-queue.js';
import { WriteQueue } from '../history/write-queue.js';
import type { JournalStore } from '../sequence/journal/journal.js';
import type { SequenceRecord } from '../sequence/journal/record.js';
import { previousShutdown } from '../sequence/journal/summary.js';
import type { Supervision } from '../supervision/supervision.js';
import { SingleWorker, workerSpec } from './managed-worker.js';

export function historySettings({ statistics }: Configuration): HistorySettings {
  const { dbDirectory: directory, enabled, retention } = statistics;
  const { rawHours, agg5minDays: fiveMinuteDays, aggHourlyDays: hourlyDays } = retention;
  return { directory, enabled, retention: { rawHours, fiveMinuteDays, hourlyDays } };
}

export function storageSettings(configuration: Configuration): StorageSettings {
  const batteries = configuration.ups.flatMap((ups) =>
    ups.battery === null
      ? []
      : [{ groupId: ups.policy.groupId, feedsHost: feedsHost(configuration, ups), ...ups.battery }],
  );
  const { retentionSeconds, maxAgeSeconds } = configuration.notifications;
  const notifications = { settledSeconds: retentionSeconds, pendingSeconds: maxAgeSeconds };
  return { ...historySettings(configuration), batteries, notifications };
}

function ratingsOf({ energy, ups }: Configuration): ReadonlyMap<string, number> {
  return new Map(energy.enabled ? ups.map(({ policy, ratedWatts }) => [policy.groupId, ratedWatts]) : []);
}

/** A person waits for the result. */
const deleteDeadlineMs = 5_000;
/** On a slow card; a batch usually takes some 20 ms. */
const importDeadlineMs = 30_000;

export interface StorageWorkerDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  readonly bootId: string;
  /** Random, created at the start of this supervisor. */
  readonly run: string;
  /** Journals of other boots are summarized into the database and then removed. */
  readonly journals: Pick<JournalStore, 'readPreviousBoots' | 'removePreviousBoots'>;
  /** What this boot has decided and done. */
  readonly journal: () => SequenceRecord;
  /** The return of the group's power is confirmed. */
  readonly isOutageOver: (group: string) => boolean;
  /** Rows that are now in the history, in order. */
  readonly stored: (rows: readonly StoredEventRow[]) => void;
  /** An event that the worker itself has recorded: the start of this daemon, or a deletion. */
  readonly recorded: (event: RecordedEvent) => void;
  readonly energyCounted: (counted: EnergyCounted) => void;
  readonly batteriesAssessed: (ups: readonly AssessedBattery[]) => void;
  readonly gaugesRecalled: (groupId: string, read: Omit<GaugeRead, 'groupId'>) => void;
}

export class StorageWorker extends SingleWorker<typeof storageContract> {
  readonly #deps: StorageWorkerDependencies;
  readonly #queue: WriteQueue;
  readonly #note: ShutdownNote;
  readonly #changes: ChangeQueue;
  readonly #shutdowns: ShutdownRecords;
  readonly #serverTimes: ServerTimeQueue;
  #enabled: boolean;
  /** The configured rating of each UPS in watts, 0 while unknown; empty while energy is not counted. */
  #ratedWatts: ReadonlyMap<string, number> = new Map();

  /** Reads the journals of another boot, and records the start of the daemon when the worker is ready. */
  constructor(
    supervision: Pick<Supervision, 'start'>,
    { statistics }: Configuration,
    deps: StorageWorkerDependencies,
  ) {
    super(storageContract, supervision);
    this.#deps = deps;
    const { clock, log, bootId, run, journals, journal, isOutageOver, stored } = deps;
    this.#enabled = statistics.enabled;
    this.#note = new ShutdownNote({ storage: this, clock, run, journal, isOutageOver });
    this.#changes = new ChangeQueue({ storage: this, clock, flushIntervalMs: statistics.flushIntervalMs });
    this.#shutdowns = new ShutdownRecords({ storage: this, clock, log, journal });
    this.#serverTimes = new ServerTimeQueue(this, clock, log);
    this.#queue = new WriteQueue({
      storage: this,
      clock,
      run,
      flushIntervalMs: statistics.flushIntervalMs,
      stored,
      begun: ({ type, detail, gauges }) => {
        for (const { groupId, ...read } of gauges) deps.gaugesRecalled(groupId, read);
        journals.removePreviousBoots();
        this.#note.begun();
        log.info(`${type}: ${detail}`, { category: 'lifecycle', event_type: type });
        deps.recorded({ source: 'daemon', type, detail });
      },
      dropped: (message) => log.warning(message),
    });
    this.#queue.begin({
      bootId,
      version,
      at: clock.wallSeconds(),
      bootMs: uptime() * 1000,
      recovered: previousShutdown(journals) ?? null,
    });
  }

  get telemetry(): StorageTelemetry {
    const { samplesDropped, flushSeconds } = this.#queue.figures;
    return { samplesDropped, flushSeconds: { counts: [...flushSeconds.counts], sum: flushSeconds.sum } };
  }

  record({ source, type, detail }: RecordedEvent): void {
    // The readings that led to it are written with it: the power of this host may not last.
    if (tierOf(categoryOf(type)) === 0) this.#changes.flush();
    const { clock, bootId } = this.#deps;
    this.#queue.record({
      at: clock.wallSeconds(),
      source,
      type,
      detail,
      boot: { id: bootId, ms: uptime() * 1000 },
    });
  }

  /**
   * Deletes rows of a UPS from the history. Storage records who deleted how many. Without an answer in time storage may
   * still delete them: the missing answer is recorded here.
   */
  async deleteEvents(
    source: string,
    principal: string,
    items: readonly Deletion[],
  ): Promise<Outcome<{ deleted: number }>> {
    const order = { source, principal, items, at: this.#deps.clock.wallSeconds() };
    const outcome = await this.request('events.delete', order, deleteDeadlineMs);
    if (!outcome.ok) {
      const { code, message } = outcome.error;
      const detail = `${principal}: delete events: failed: ${message}; whether they were deleted is not known`;
      if (unanswered.includes(code)) this.#recordUnanswered(source, detail);
      return outcome;
    }
    const { deleted, type, id, ts, detail } = outcome.value;
    this.#logDeletion(source, type, detail);
    this.#deps.stored([{ id, ts, source, type, detail }]);
    return { ok: true, value: { deleted } };
  }

  /** Adds history of another program. Refuses it while own rows are due: they go first. */
  importHistory(batch: ImportBatch): Promise<Outcome<ImportResult>> {
    if (!this.#queue.isBusy) return this.request('history.import', batch, importDeadlineMs);
    const error = { code: storageFailure.busy, message: 'the daemon writes its own rows first' };
    return Promise.resolve({ ok: false, error });
  }

  serversTook(times: readonly ServerTime[]): void {
    this.#serverTimes.push(times);
  }

  #recordUnanswered(source: string, detail: string): void {
    const type = 'EVENTS_DELETE_FAILED';
    this.record({ source, type, detail });
    this.#logDeletion(source, type, detail);
  }

  #logDeletion(source: string, type: EventType, detail: string): void {
    this.#deps.log.info(`${type}: ${detail}`, { category: 'audit', event_type: type, group: source });
    this.#deps.recorded({ source, type, detail });
  }

  /** Queues a sample if the poll has data. `row`: policy's row after the poll. */
  polled(groupId: string, { outcome }: UpsPolled, row: UpsRow | undefined): void {
    if (!this.#enabled || outcome.kind !== 'reading' || row === undefined) return;
    const values = metricValuesOf(outcome.reading, row);
    const at = this.#deps.clock.wallSeconds();
    this.#changes.push(groupId, at, outcome.variables);
    if (values === null) return;
    const rated = this.#ratedWatts.get(groupId);
    const power = rated === undefined ? null : powerOf(outcome.reading, outcome.variables, rated);
    const batteryDate = reportedDate(outcome.variables);
    this.#queue.sample({
      groupId,
      at,
      bootMs: uptime() * 1000,
      values,
      status: outcome.reading.status.join(' ').slice(0, maxStatusLength),
      ...(power && { power }),
      ...(batteryDate !== undefined && { batteryDate }),
    });
  }

  apply(configuration: Configuration): void {
    const { statistics, supervisor } = configuration;
    const { log } = this.#deps;
    this.#enabled = statistics.enabled;
    this.#ratedWatts = ratingsOf(configuration);
    this.#queue.flushIntervalMs = statistics.flushIntervalMs;
    this.#changes.flushIntervalMs = statistics.flushIntervalMs;
    this.configure(
      workerSpec(storageContract, {
        hosting: { kind: 'process', user: supervisor.workerUsers.storage },
        settings: storageSettings(configuration),
        onEvent: {
          'storage.changed': ({ available, message }) => {
            if (available) log.info(`the history database is ${message}`);
            else log.error(`the history database: ${message}`);
          },
          'energy.counted': this.#deps.energyCounted,
          'batteries.assessed': ({ ups }) => this.#deps.batteriesAssessed(ups),
        },
        asks: {},
      }),
    );
  }

  workerReady(): void {
    this.#changes.ready();
    for (const one of [this.#queue, this.#shutdowns, this.#serverTimes, this.#note]) one.ready();
  }

  tick(): void {
    this.#queue.tick();
    this.#changes.tick();
    this.#shutdowns.tick();
    this.#serverTimes.tick();
    this.#note.tick();
  }

  /** Records the clean stop after everything queued; settles when it is on disk, or after `withinMs`. */
  async finish(reason: string, withinMs: number): Promise<void> {
    // The machine may go down next.
    this.#changes.flush();
    this.#shutdowns.take();
    for (const one of [this.#shutdowns, this.#serverTimes, this.#note]) one.ready();
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
    await Promise.race([this.#queue.end(this.#deps.clock.wallSeconds(), reason, uptime() * 1000), timeout]);
  }
}
