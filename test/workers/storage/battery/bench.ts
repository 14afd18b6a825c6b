// A tracker on its own database, fed as the worker feeds it.
import type { BatteryHealth, BatterySettings } from '../../../../shared/domain/ups/battery/health.js';
import type { AssessedBattery, EventRecord, SampleRecord } from '../../../../shared/protocol/storage.js';
import { BatteryTracker } from '../../../../workers/storage/battery/tracker.js';
import { SampleWriter } from '../../../../workers/storage/samples.js';
import { Bench } from '../fixture.js';
import type { BatteryLife } from './battery-life.js';
import { day } from './battery-life.js';

export const settings: BatterySettings = {
  groupId: 'office',
  feedsHost: true,
  updateIntervalSeconds: 3600,
  nominalRuntimeSeconds: 0,
  installDate: '',
  expectedLifeYears: 5,
  warnScore: 30,
  criticalScore: 15,
  thresholdScore: 50,
  horizonDays: 90,
  minHistoryDays: 14,
};

export const start = Date.UTC(2024, 0, 1) / 1000;
export const daily: BatterySettings = { ...settings, updateIntervalSeconds: day };

const perBatch = 2000;

export interface StoredDischarge {
  readonly started: number;
  readonly ended: number | null;
  readonly seconds: number;
  readonly cause: string;
  readonly series: number;
  readonly joules: number | null;
  readonly capacity: number | null;
}

export class BatteryBench extends Bench {
  tracker = new BatteryTracker();
  #settings: readonly BatterySettings[] = [settings];
  /** Every event that was due and then recorded, and when. */
  readonly events: { readonly type: string; readonly at: number }[] = [];
  latest = new Map<string, AssessedBattery>();

  configure(...all: readonly BatterySettings[]): void {
    this.#settings = all;
    this.tracker.configure(all);
  }

  /** A new worker: nothing in memory. */
  async restart(): Promise<void> {
    await this.reopen();
    this.tracker = new BatteryTracker();
    this.tracker.configure(this.#settings);
  }

  /** `stores`: also in the table of samples, as the worker does; it costs most of the time. */
  async feed(samples: Iterable<SampleRecord>, { stores = false } = {}): Promise<void> {
    this.tracker.configure(this.#settings);
    let batch: SampleRecord[] = [];
    const flush = async (): Promise<void> => {
      const sent = batch;
      batch = [];
      await this.append(sent, stores);
    };
    for (const sample of samples) {
      batch.push(sample);
      if (batch.length === perBatch) await flush();
    }
    await flush();
  }

  async append(samples: readonly SampleRecord[], stores = true): Promise<void> {
    await this.run(async (db) => {
      const stored = stores ? await new SampleWriter().append(db, samples) : samples.length;
      await this.tracker.take(db, samples, stored === samples.length);
    });
    await this.#record(samples.at(-1)?.at ?? 0);
  }

  async happened(...events: readonly Omit<EventRecord, 'seq' | 'detail'>[]): Promise<void> {
    await this.run((db) =>
      this.tracker.recordEvents(
        db,
        events.map((event, seq) => ({ ...event, seq: seq + 1, detail: '' })),
      ),
    );
  }

  /** Months of 30 days with an outage of 20 min at the end of each; returns the end. */
  async live(life: BatteryLife, from: number, months: number): Promise<number> {
    for (let month = 0; month < months; month += 1) {
      const at = from + month * 30 * day;
      await this.feed(life.line(at, at + 30 * day - 6 * 3600));
      await this.feed(life.battery(at + 30 * day - 6 * 3600, 1200));
    }
    return from + months * 30 * day;
  }

  discharges(): Promise<readonly StoredDischarge[]> {
    return this.run((db) =>
      db.all<StoredDischarge>(
        'SELECT started, ended, seconds, cause, series, joules, capacity FROM battery_discharges ORDER BY key',
      ),
    );
  }

  health(groupId = 'office'): BatteryHealth {
    const found = this.latest.get(groupId)?.health;
    if (found === undefined) throw new Error('not assessed');
    return found;
  }

  /** As the supervisor: a due event is recorded and comes back. */
  async #record(at: number): Promise<void> {
    for (const one of this.tracker.assessed()) {
      this.latest.set(one.groupId, one);
      for (const type of one.due) {
        this.events.push({ type, at });
        await this.happened({ type, at, source: one.groupId });
      }
    }
  }
}
