// The history for the routes: series and events, empty while statistics are off. The only owner of the readers.
import { join } from 'node:path';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { SelfTestRecord } from '../../../shared/domain/ups/self-test.js';
import type { HistorySettings } from '../../../shared/protocol/storage.js';
import { databaseName } from '../../../shared/protocol/storage.js';
import type { StoredEvent } from '../../../shared/http/bodies.js';
import type { Period } from '../../../shared/domain/base/local-calendar.js';
import type { BatteryHistory } from './battery.js';
import { readBatteryHistory } from './battery.js';
import type { EnergyQuery, EnergySum } from './energy-series.js';
import { readEnergy } from './energy-series.js';
import type { EventsQuery } from './events.js';
import { readEvents } from './events.js';
import type { OutageRecord, OutagesQuery, StoredOutage } from './outages.js';
import { readOutage, readOutages } from './outages.js';
import type { ReportData } from './report.js';
import { noData, readReport } from './report.js';
import type { ServerTimes } from '../../../shared/domain/outage/server-time.js';
import { readServerTimes } from './server-times.js';
import { readSelfTests } from './self-tests.js';
import { ReadPool } from './read-pool.js';
import type { Series, SeriesQuery } from './series.js';
import { frameOf, readSeries } from './series.js';

/** A query takes tens of ms; one that takes this long waits for a disk that does not answer. */
const deadlineMs = 5000;

const noBatteryHistory: BatteryHistory = {
  days: { day: [], series: [], score: [], runtimeRatio: [] },
  discharges: [],
};

export class History {
  #settings: HistorySettings;
  #pool: ReadPool;

  constructor(settings: HistorySettings) {
    this.#settings = settings;
    this.#pool = new ReadPool(join(settings.directory, databaseName));
  }

  /** Applies new settings; queries under way keep theirs. */
  configure(settings: HistorySettings): void {
    const moved = settings.directory !== this.#settings.directory;
    this.#settings = settings;
    if (!moved) return;
    void this.#pool.close();
    this.#pool = new ReadPool(join(settings.directory, databaseName));
  }

  /** One metric of one UPS. `signal` aborts when the client disconnects. Fails with a code of `readFailure`. */
  async series(query: SeriesQuery, nowSeconds: number, signal: AbortSignal): Promise<Outcome<Series>> {
    const { enabled, retention } = this.#settings;
    if (!enabled) return { ok: true, value: frameOf(query, retention, nowSeconds).series };
    return readSeries(this.#pool, query, retention, nowSeconds, { signal, deadlineMs });
  }

  /** The newest events that match, oldest first. */
  async events(query: EventsQuery, signal: AbortSignal): Promise<Outcome<readonly StoredEvent[]>> {
    if (!this.#settings.enabled) return { ok: true, value: [] };
    return readEvents(this.#pool, query, { signal, deadlineMs });
  }

  /** The newest outages that match, oldest first. */
  async outages(query: OutagesQuery, signal: AbortSignal): Promise<Outcome<readonly StoredOutage[]>> {
    if (!this.#settings.enabled) return { ok: true, value: [] };
    return readOutages(this.#pool, query, { signal, deadlineMs });
  }

  /** One outage; null when there is none. `groupsOf`: the sources of the events that belong to a UPS. */
  async outage(
    id: number,
    groupsOf: (source: string) => readonly string[],
    signal: AbortSignal,
  ): Promise<Outcome<OutageRecord | null>> {
    if (!this.#settings.enabled) return { ok: true, value: null };
    return readOutage(this.#pool, id, groupsOf, { signal, deadlineMs });
  }

  /** The battery tests of one UPS, newest first; they are kept also without statistics. */
  selfTests(groupId: string, signal: AbortSignal): Promise<Outcome<readonly SelfTestRecord[]>> {
    return readSelfTests(this.#pool, groupId, { signal, deadlineMs });
  }

  /** How long each server took, by its name. */
  async serverTimes(signal: AbortSignal): Promise<Outcome<ReadonlyMap<string, ServerTimes>>> {
    if (!this.#settings.enabled) return { ok: true, value: new Map() };
    return readServerTimes(this.#pool, { signal, deadlineMs });
  }

  /** The battery of one UPS: scores by day, and the newest discharges. */
  async battery(groupId: string, limit: number, signal: AbortSignal): Promise<Outcome<BatteryHistory>> {
    if (!this.#settings.enabled) return { ok: true, value: noBatteryHistory };
    return readBatteryHistory(this.#pool, groupId, limit, { signal, deadlineMs });
  }

  /** What a report has of a period. */
  async report(period: Period, nowSeconds: number, signal: AbortSignal): Promise<Outcome<ReportData>> {
    if (!this.#settings.enabled) return { ok: true, value: noData };
    return readReport(this.#pool, period, nowSeconds, { signal, deadlineMs });
  }

  /** The energy of one UPS by day or month. */
  async energy(query: EnergyQuery, signal: AbortSignal): Promise<Outcome<readonly EnergySum[]>> {
    if (!this.#settings.enabled) return { ok: true, value: [] };
    return readEnergy(this.#pool, query, { signal, deadlineMs });
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
