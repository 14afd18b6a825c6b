// Follows the batteries of all UPSes and assesses each once in its update interval. Every time is that of the samples. What it
// keeps in memory it reads again from the database: after a kill it misses at most the readings of one update interval and
// 90 s of a curve.
import { dueAlerts, withoutRecovered, withRaised } from '../../../shared/domain/status/battery-alerts.js';
import { assess } from '../../../shared/domain/ups/battery/assessment.js';
import type { BatterySettings } from '../../../shared/domain/ups/battery/health.js';
import { statusWords } from '../../../shared/domain/ups/status-words.js';
import type { AssessedBattery, EventRecord, SampleRecord } from '../../../shared/protocol/storage.js';
import type { Database } from '../database.js';
import { keyOf } from '../samples.js';
import { beginSeries, dateOf } from './series.js';
import { withNominal } from './nominal.js';
import { readDays, saveDay, saveScore } from './days.js';
import type { OpenDischarge } from './discharges.js';
import {
  compare,
  dropOldest,
  jumpStart,
  openDischarge,
  outageCause,
  removeDischarge,
  saveDischarge,
  summaries,
} from './discharges.js';
import { loadState, lostPowerOf, saveState, verdictOf } from './rows.js';
import { dayOf, newBattery } from './state.js';
import type { WatchedBattery } from './watch.js';
import { watch } from './watch.js';

/** Shorter times on battery say nothing. */
const minSeconds = 5;
/** A curve under way is written after this time, of a long discharge later. */
const checkpointMs = 30_000;
const longestCheckpointMs = 90_000;
/** As many as can matter to the score, several times. */
const keptAnomalies = 50;

export class BatteryTracker {
  #settings: ReadonlyMap<string, BatterySettings> = new Map();
  readonly #byUps = new Map<string, WatchedBattery>();
  readonly #words = new Map<string, readonly string[]>();
  /** Assessed since the last `assessed`. */
  #news = new Set<string>();
  #of: Database | undefined;

  configure(settings: readonly BatterySettings[]): void {
    this.#settings = new Map(settings.map((one) => [one.groupId, one]));
    for (const groupId of this.#byUps.keys()) if (!this.#settings.has(groupId)) this.#byUps.delete(groupId);
  }

  /** `areNew`: none of them was stored before; else only those later than the last one count. */
  async take(db: Database, samples: readonly SampleRecord[], areNew: boolean): Promise<void> {
    await this.#consistently(db, async () => {
      for (const sample of samples) {
        const settings = this.#settings.get(sample.groupId);
        if (settings === undefined || sample.status === undefined) continue;
        const before = await this.#watched(db, sample);
        const isRepeated = !areNew && sample.at * 1000 <= (before.state.rest.lastMs ?? -1);
        if (!isRepeated) await this.#step(db, before, sample, settings);
      }
    });
  }

  /** Call it after the events are stored; a repeated event changes nothing. */
  async recordEvents(db: Database, events: readonly EventRecord[]): Promise<void> {
    const mine = events.filter(
      ({ type, source }) =>
        /^BATTERY_(?:ANOMALY|HEALTH_|REPLACEMENT_)/.test(type) && this.#settings.has(source),
    );
    if (mine.length === 0) return;
    await this.#consistently(db, async () => {
      for (const { source, type, at } of mine) {
        const watched = await this.#watched(db, { groupId: source, at });
        const { anomalies, raised } = watched.state;
        const isNew = type === 'BATTERY_ANOMALY' && !anomalies.includes(at);
        const state = {
          ...watched.state,
          anomalies: isNew ? [...anomalies, at].slice(-keptAnomalies) : anomalies,
          raised: withRaised(raised, type),
        };
        this.#byUps.set(source, { ...watched, state });
        await saveState(db, watched.ups, state);
      }
    });
  }

  /** What was assessed since the last call; after a start everything that is known. */
  assessed(): readonly AssessedBattery[] {
    const news = [...this.#news];
    this.#news = new Set();
    return news.flatMap((groupId) => {
      const { health, raised } = this.#byUps.get(groupId)?.state ?? { health: null };
      const settings = this.#settings.get(groupId);
      if (health === null || settings === undefined || raised === undefined) return [];
      return [{ groupId, health, due: [...dueAlerts(raised, health, settings)] }];
    });
  }

  /** Writes what is only in memory. */
  async flush(db: Database): Promise<void> {
    if (this.#of !== db) return;
    await this.#consistently(db, async () => {
      for (const [groupId, watched] of this.#byUps) {
        const { ups, state, readings, discharge } = watched;
        const { series, nominal, day } = state;
        await saveDay(db, { ups, day, series, readings, nominal });
        await saveState(db, ups, state);
        if (discharge !== null) this.#byUps.set(groupId, await checkpoint(db, watched, discharge));
      }
    });
  }

  /** In one transaction; when it fails, memory begins again from the database. */
  async #consistently(db: Database, work: () => Promise<void>): Promise<void> {
    try {
      await db.transaction(async () => {
        if (this.#of !== db) await this.#load(db);
        await work();
      });
    } catch (error) {
      this.#of = undefined;
      throw error;
    }
  }

  async #load(db: Database): Promise<void> {
    this.#byUps.clear();
    this.#of = db;
    for (const groupId of this.#settings.keys()) {
      const stored = await loadState(db, groupId);
      if (stored === null) continue;
      const { ups, state } = stored;
      const discharge = await openDischarge(db, ups);
      const writtenMs = discharge?.recording.lastMs ?? 0;
      this.#byUps.set(groupId, { ups, state, readings: [], readMs: 0, discharge, writtenMs });
      if (state.health !== null) this.#news.add(groupId);
    }
  }

  async #watched(
    db: Database,
    { groupId, at }: Pick<SampleRecord, 'groupId' | 'at'>,
  ): Promise<WatchedBattery> {
    const known = this.#byUps.get(groupId);
    if (known !== undefined) return known;
    // Configured while the daemon runs: it may be known from before.
    const stored = await loadState(db, groupId);
    const ups = stored?.ups ?? (await keyOf(db, groupId));
    const state = stored?.state ?? newBattery(at);
    const discharge = stored === null ? null : await openDischarge(db, ups);
    return { ups, state, readings: [], readMs: 0, discharge, writtenMs: discharge?.recording.lastMs ?? 0 };
  }

  async #step(
    db: Database,
    before: WatchedBattery,
    sample: SampleRecord,
    settings: BatterySettings,
  ): Promise<void> {
    const { watched: after, over, completeDay } = watch(before, sample, this.#wordsOf(sample.status ?? ''));
    let watched = after;
    const isUsed = watched.discharge !== null || over.length > 0;
    for (const discharge of over) watched = await this.#ended(db, watched, discharge);
    const { discharge } = watched;
    if (discharge !== null && isCheckpointDue(discharge, watched.writtenMs))
      watched = await checkpoint(db, watched, discharge);
    if (completeDay !== null) {
      const { series, nominal } = watched.state;
      await saveDay(db, { ups: watched.ups, series, nominal, ...completeDay });
      watched = await withNominal(db, watched, settings);
    }
    const slot = Math.floor(sample.at / settings.updateIntervalSeconds);
    if (slot !== watched.state.slot) watched = await this.#assess(db, watched, sample, settings, slot);
    else if (isUsed && before.discharge === null) await saveState(db, watched.ups, watched.state);
    this.#byUps.set(sample.groupId, watched);
  }

  async #assess(
    db: Database,
    watched: WatchedBattery,
    sample: SampleRecord,
    settings: BatterySettings,
    slot: number,
  ): Promise<WatchedBattery> {
    const { groupId, at } = sample;
    const current = await this.#current(db, watched, sample, settings);
    const { ups, state } = current;
    const discharges = await summaries(db, ups, state.series);
    const health = assess(
      {
        nowSeconds: at,
        series: { number: state.series, since: state.since },
        installDate: state.date,
        nominal: state.nominal,
        load: state.load ?? discharges.at(-1)?.load ?? null,
        days: await readDays(db, ups, state.series, dayOf(at)),
        discharges,
        verdict: await verdictOf(db, ups),
        lostPower: settings.feedsHost ? await lostPowerOf(db, ups) : null,
        anomalies: state.anomalies,
        asksForReplacement: state.asksForReplacement,
        reportsCharge: state.rest.charge !== null,
      },
      settings,
    );
    await saveScore(db, { ups, day: state.day, series: state.series }, health.score);
    const next = { ...state, slot, health, raised: withoutRecovered(state.raised, health, settings) };
    await saveState(db, ups, next);
    this.#news.add(groupId);
    return { ...current, state: next };
  }

  /** With the day so far, the date of the battery and its nominal runtime. */
  async #current(
    db: Database,
    watched: WatchedBattery,
    { at, batteryDate }: SampleRecord,
    settings: BatterySettings,
  ): Promise<WatchedBattery> {
    const { ups, readings } = watched;
    const { state, newSince } = dateOf(watched.state, settings.installDate, batteryDate, at);
    if (newSince !== null) {
      const begun = await beginSeries(db, { ...watched, state }, newSince);
      return withNominal(db, begun, settings);
    }
    const { series, nominal, day } = state;
    await saveDay(db, { ups, day, series, readings, nominal });
    const isConfigured = state.configuredSeconds === settings.nominalRuntimeSeconds;
    const dated = { ...watched, state };
    return nominal !== null && isConfigured ? dated : withNominal(db, dated, settings);
  }

  /** Stores a discharge that is over; one of the last two may show that the battery is a new one. */
  async #ended(db: Database, watched: WatchedBattery, discharge: OpenDischarge): Promise<WatchedBattery> {
    const { ups, state } = watched;
    if (discharge.recording.seconds < minSeconds) {
      if (discharge.key !== null) await removeDischarge(db, discharge.key);
      return watched;
    }
    const cause = discharge.cause === 'outage' ? await outageCause(db, ups, discharge) : discharge.cause;
    const key = await saveDischarge(db, ups, { ...discharge, cause }, true);
    await dropOldest(db, ups);
    const isCompared = await compare(db, ups, state.series, key);
    const jump = isCompared ? await jumpStart(db, ups, state.series) : null;
    return jump === null ? watched : beginSeries(db, watched, jump / 1000, 'jump');
  }

  #wordsOf(status: string): readonly string[] {
    const known = this.#words.get(status);
    if (known !== undefined) return known;
    const words = statusWords(status);
    // A device that invents words.
    if (this.#words.size >= 1000) this.#words.clear();
    this.#words.set(status, words);
    return words;
  }
}

function isCheckpointDue({ recording }: OpenDischarge, writtenMs: number): boolean {
  const interval = Math.min(longestCheckpointMs, Math.max(checkpointMs, recording.seconds * 50));
  return Math.abs(recording.lastMs - Math.max(writtenMs, recording.startedMs)) >= interval;
}

async function checkpoint(
  db: Database,
  watched: WatchedBattery,
  discharge: OpenDischarge,
): Promise<WatchedBattery> {
  const key = await saveDischarge(db, watched.ups, discharge, false);
  return { ...watched, discharge: { ...discharge, key }, writtenMs: discharge.recording.lastMs };
}
