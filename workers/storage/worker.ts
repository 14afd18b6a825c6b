// The storage worker: the only writer of the history database. It answers a write after its commit, never before.
import { uptime } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '../../shared/protocol/contract.js';
import type { StorageSettings } from '../../shared/protocol/storage.js';
import {
  databaseName,
  maxAssessedBatteries,
  storageContract,
  storageFailure,
} from '../../shared/protocol/storage.js';
import type { WorkerBody, WorkerContext } from '../../shared/runtime/worker-main.js';
import { runWorker } from '../../shared/runtime/worker-main.js';
import { BatteryTracker } from './battery/tracker.js';
import type { BootMoment } from './boots.js';
import { BootNotes } from './boots.js';
import type { Database } from './database.js';
import { EnergyCounter } from './energy/counter.js';
import { appendEvents, deleteEvents, keptWithoutStatistics } from './events.js';
import { importHistory } from './import/history-import.js';
import { saveFailedServers, loadFailedServers } from './failed-servers.js';
import { CoverageCounter } from './coverage/counter.js';
import { notificationAnswers } from './notifications.js';
import { keepReport, recallReports } from './reports.js';
import { beginRun, endRun, saveSequence } from './runs.js';
import { hasValue, SampleWriter } from './samples.js';
import { momentOf, OutageTracker, saveShutdown } from './outages/tracker.js';
import { keepTests, recallTests } from './self-tests/self-tests.js';
import { keepServerTimes } from './server-times.js';
import { Store } from './store.js';
import { Maintenance } from './maintenance.js';

/** Work is due every five minutes; a round without work reads some pages of each UPS. */
const upkeepMs = 60_000;

type Context = WorkerContext<typeof storageContract>;

class StorageBody implements WorkerBody<typeof storageContract> {
  readonly #context: Context;
  readonly #writer = new SampleWriter();
  readonly #energy = new EnergyCounter();
  readonly #coverage = new CoverageCounter();
  /** Energy was sent; until then the sums are sent after each flush. */
  #energyShown = false;
  readonly #boots = new BootNotes();
  #bootId: string | undefined;
  readonly #outages = new OutageTracker();
  readonly #batteries = new BatteryTracker();
  #settings: StorageSettings;
  #store: Store;
  #upkeep: Maintenance;
  readonly #timer: NodeJS.Timeout;

  constructor(settings: StorageSettings, context: Context) {
    this.#settings = settings;
    this.#batteries.configure(settings.batteries);
    this.#context = context;
    this.#store = this.#open(settings.directory);
    this.#upkeep = new Maintenance(this.#store, context.clock);
    this.#timer = setInterval(() => this.#maintain(), upkeepMs);
  }

  readonly requests: WorkerBody<typeof storageContract>['requests'] = {
    ...notificationAnswers(() => this.#store),

    'run.begin': (beginning) =>
      this.#store.perform(async (db) => {
        const { at, bootId: id, bootMs: ms } = beginning;
        const begun = await beginRun(db, beginning, this.#settings.enabled);
        if (ms !== undefined) await this.#boots.note(db, [{ at, boot: { id, ms } }]);
        return begun;
      }),

    'sequence.keep': (order) => this.#store.perform((db) => saveSequence(db, order)),

    'health.keep': ({ failed }) => this.#store.perform((db) => saveFailedServers(db, failed)),

    'servers.measured': async ({ times }) =>
      this.#settings.enabled
        ? this.#store.perform((db) => keepServerTimes(db, times))
        : disabledOutcome('measured times are not kept'),

    'health.recall': () => this.#store.perform((db) => loadFailedServers(db)),

    'selfTests.keep': ({ tests }) => this.#store.perform((db) => keepTests(db, tests)),

    'selfTests.recall': (order) => this.#store.perform((db) => recallTests(db, order)),

    'reports.recall': (order) => this.#store.perform((db) => recallReports(db, order)),

    'reports.keep': (order) => this.#store.perform((db) => keepReport(db, order)),

    'run.end': (ending) => this.#store.perform((db) => endRun(db, ending, this.#settings.enabled)),

    'events.append': async ({ run, events }) => {
      const kept = this.#settings.enabled ? events : events.filter(({ type }) => keptWithoutStatistics(type));
      const outcome = await this.#timed(async (db) => {
        const stored = await appendEvents(db, run, kept);
        await this.#boots.note(db, events);
        if (!this.#settings.enabled) return stored;
        await this.#outages.recordEvents(db, kept, this.#nowMs());
        await this.#batteries.recordEvents(db, kept);
        return stored;
      });
      if (!outcome.ok) return outcome;
      const ids = new Map(outcome.value.result.map(({ seq, id }) => [seq, id]));
      const stored = events.map(({ seq }) => ({ seq, id: ids.get(seq) ?? null }));
      return { ok: true, value: { stored, seconds: outcome.value.seconds } };
    },

    'samples.append': async ({ samples, bootId }) => {
      this.#bootId = bootId;
      const kept = this.#settings.enabled ? samples : [];
      const outcome = await this.#timed(async (db) => {
        const stored = await this.#writer.append(db, kept);
        const areNew = stored === kept.filter(hasValue).length;
        await this.#energy.count(db, kept, areNew);
        await this.#coverage.count(db, kept, areNew);
        await this.#boots.note(
          db,
          kept.map((sample) => momentOf(sample, bootId)),
        );
        await this.#outages.countSamples(db, kept, this.#nowMs(), bootId);
        await this.#batteries.take(db, kept, areNew);
        return stored;
      });
      this.#showBatteries();
      if (!this.#energyShown) void this.#writeEnergy();
      if (!outcome.ok) return outcome;
      return { ok: true, value: { stored: outcome.value.result, seconds: outcome.value.seconds } };
    },

    'changes.append': ({ changes }) => {
      const incomplete = this.#settings.enabled ? this.#outages.recordChanges(changes) : [];
      return Promise.resolve({ ok: true, value: { incomplete } });
    },

    'shutdown.keep': async ({ shutdown }) =>
      this.#settings.enabled
        ? this.#store.perform((db) => saveShutdown(db, shutdown))
        : { ok: true, value: {} },

    'history.import': async (batch) =>
      this.#settings.enabled
        ? this.#store.perform((db) => importHistory(db, batch, this.#nowMs() / 1000))
        : disabledOutcome('there is no history to add to'),

    'events.delete': async (order) => {
      if (!this.#settings.enabled) return disabledOutcome('there are no events to delete');
      return this.#store.perform((db) => deleteEvents(db, order));
    },
  };

  reconfigure(settings: StorageSettings): void {
    const moved = settings.directory !== this.#settings.directory;
    this.#settings = settings;
    this.#batteries.configure(settings.batteries);
    if (!moved) return;
    const [store, upkeep] = [this.#store, this.#upkeep];
    this.#store = this.#open(settings.directory);
    this.#upkeep = new Maintenance(this.#store, this.#context.clock);
    void upkeep.stop().then(() => store.close());
  }

  async drain(): Promise<void> {
    clearInterval(this.#timer);
    await this.#upkeep.stop();
    await this.#writeEnergy();
    await this.#store.perform((db) => this.#outages.flush(db, this.#nowMs(), this.#now()));
    await this.#store.perform((db) => this.#batteries.flush(db));
    await this.#store.close();
  }

  #maintain(): void {
    void this.#writeEnergy();
    if (this.#settings.enabled)
      void this.#store.perform((db) => this.#outages.maintain(db, this.#nowMs(), this.#now()));
    void this.#upkeep.round(this.#settings);
  }

  async #writeEnergy(): Promise<void> {
    if (!this.#settings.enabled) return;
    const nowMs = this.#context.clock.wallSeconds() * 1000;
    const written = await this.#store.perform(async (db) => {
      await this.#coverage.write(db);
      return this.#energy.write(db, nowMs);
    });
    if (!written.ok || written.value.ups.length === 0) return;
    this.#energyShown ||= written.value.ups.some(({ yearKwh }) => yearKwh > 0);
    this.#context.emit('energy.counted', written.value);
  }

  #showBatteries(): void {
    const ups = this.#batteries.assessed();
    for (let first = 0; first < ups.length; first += maxAssessedBatteries)
      this.#context.emit('batteries.assessed', { ups: ups.slice(first, first + maxAssessedBatteries) });
  }

  /** By the clock of the boot; undefined until the supervisor has said which. */
  #now(): BootMoment['boot'] {
    return this.#bootId === undefined ? undefined : { id: this.#bootId, ms: uptime() * 1000 };
  }

  #nowMs(): number {
    return this.#context.clock.wallSeconds() * 1000;
  }

  #open(directory: string): Store {
    return new Store({
      path: join(directory, databaseName),
      clock: this.#context.clock,
      log: this.#context.log,
      changed: (fault, message) =>
        this.#context.emit('storage.changed', {
          available: fault === null,
          code: fault?.code ?? 'OK',
          message: message.slice(0, 1024),
        }),
    });
  }

  /** `seconds`: the time of the work itself, without the wait for earlier work. */
  #timed<T>(work: (db: Database) => Promise<T>): Promise<Outcome<{ result: T; seconds: number }>> {
    const { clock } = this.#context;
    return this.#store.perform(async (db) => {
      const started = clock.monotonicMs();
      const result = await work(db);
      return { result, seconds: (clock.monotonicMs() - started) / 1000 };
    });
  }
}

function disabledOutcome(consequence: string): Outcome<never> {
  const message = `statistics.enabled is false: ${consequence}`;
  return { ok: false, error: { code: storageFailure.disabled, message } };
}

// Ready immediately: with a hanging disk the supervisor must not conclude that the worker fails to start.
runWorker(storageContract, (settings, context) => Promise.resolve(new StorageBody(settings, context)));
