// Follows one battery sample by sample, in memory: which readings count, and the discharge under way. Pure.
import type { DischargeSample } from '../../../shared/domain/ups/battery/discharge.js';
import { beginRecording, addInterruption, addSample } from '../../../shared/domain/ups/battery/discharge.js';
import type { FullReading } from '../../../shared/domain/ups/battery/full-runtime.js';
import { afterSample, isFullAndRested } from '../../../shared/domain/ups/battery/rest.js';
import { metricOf } from '../../../shared/domain/status/metrics.js';
import type { MetricName } from '../../../shared/domain/status/metrics.js';
import { sameOutageSeconds } from '../../../shared/domain/outage/outage.js';
import type { PowerSource } from '../../../shared/domain/ups/status-words.js';
import { hasNoData, powerSource } from '../../../shared/domain/ups/status-words.js';
import type { SampleRecord } from '../../../shared/protocol/storage.js';
import type { OpenDischarge } from './discharges.js';
import type { BatteryState } from './state.js';
import { dayOf } from './state.js';

/** A reading in ten minutes is enough for the runtime of a day. */
const readingMs = 600_000;
/** The usual load follows the load with these steps: most of a change of the load in half a day. */
const loadShare = 0.05;
/** Without samples for longer a discharge is over: what the battery gave is not known. */
const longestStepMs = 120_000;

export interface WatchedBattery {
  readonly ups: number;
  readonly state: BatteryState;
  /** The full readings of the day of `state`, and when the last reading of any kind was taken. */
  readonly readings: readonly FullReading[];
  readonly readMs: number;
  readonly discharge: OpenDischarge | null;
  /** The recording when it was last written. */
  readonly writtenMs: number;
}

interface Seen {
  readonly now: DischargeSample;
  readonly source: PowerSource;
  readonly words: readonly string[];
  readonly isMeasured: boolean;
}

export interface Watching {
  readonly watched: WatchedBattery;
  /** Discharges that are over, in order. */
  readonly over: readonly OpenDischarge[];
  /** The complete day before, with its readings. */
  readonly completeDay: { readonly day: number; readonly readings: readonly FullReading[] } | null;
}

/** `words`: those of the sample's status. */
export function watch(watched: WatchedBattery, sample: SampleRecord, words: readonly string[]): Watching {
  const { state } = watched;
  if (hasNoData(words)) return { watched, over: [], completeDay: null };
  const atMs = Math.floor(sample.at * 1000);
  const source = powerSource(words);
  const charge = valueOf(sample, 'charge');
  const rest = afterSample(state.rest, atMs, source, charge);
  const now = dischargeSampleOf(sample);
  const isMeasured = now.watts !== null && (sample.power?.estimated ?? 0) === 0;
  const { discharge, over } = followDischarge(watched.discharge, state.series, {
    now,
    source,
    words,
    isMeasured,
  });
  const day = dayOf(sample.at);
  const isNewDay = day !== state.day;
  const isReadingDue = atMs - watched.readMs >= readingMs || atMs < watched.readMs;
  const load = valueOf(sample, 'load');
  const runtime = valueOf(sample, 'runtime');
  const isFull = isReadingDue && isFullAndRested(rest, source, words, charge);
  const counts = isFull && load !== null && runtime !== null && runtime > 0;
  const before = isNewDay ? [] : watched.readings;
  return {
    watched: {
      ...watched,
      readings: counts ? [...before, { load, runtime }] : before,
      readMs: isReadingDue ? atMs : watched.readMs,
      discharge,
      state: {
        ...state,
        // A clock that was wrong at the start.
        since: Math.min(state.since, sample.at),
        rest,
        day,
        load: isReadingDue && source === 'line' ? usualLoad(state.load, load) : state.load,
        asksForReplacement: words.includes('RB'),
      },
    },
    over,
    completeDay: isNewDay ? { day: state.day, readings: watched.readings } : null,
  };
}

function usualLoad(before: number | null, load: number | null): number | null {
  if (before === null || load === null) return load ?? before;
  return before + (load - before) * loadShare;
}

interface Followed {
  readonly discharge: OpenDischarge | null;
  readonly over: readonly OpenDischarge[];
}

/** The discharge after a sample, and the one that is over with it. */
function followDischarge(discharge: OpenDischarge | null, series: number, seen: Seen): Followed {
  const { now, source } = seen;
  if (discharge === null)
    return { discharge: source === 'battery' ? extendDischarge(begun(series, now), seen) : null, over: [] };
  const since = now.atMs - discharge.recording.lastMs;
  const isOver =
    source === 'battery'
      ? since > longestStepMs
      : // With a clock that was set back nobody knows how long power has been back.
        source === 'line' && (since > sameOutageSeconds * 1000 || since < 0);
  if (isOver) return { discharge: followDischarge(null, series, seen).discharge, over: [discharge] };
  if (source === 'battery') return { discharge: extendDischarge(discharge, seen), over: [] };
  return { discharge: { ...discharge, recording: addInterruption(discharge.recording) }, over: [] };
}

function begun(series: number, now: DischargeSample): OpenDischarge {
  return { key: null, series, recording: beginRecording(now), cause: 'outage', isMeasured: true };
}

function extendDischarge(discharge: OpenDischarge, { now, words, isMeasured }: Seen): OpenDischarge {
  const isTest = words.includes('TEST') ? 'self-test' : discharge.cause;
  return {
    ...discharge,
    recording: addSample(discharge.recording, now),
    cause: words.includes('CAL') ? 'calibration' : isTest,
    isMeasured: discharge.isMeasured && isMeasured,
  };
}

function dischargeSampleOf(sample: SampleRecord): DischargeSample {
  return {
    atMs: Math.floor(sample.at * 1000),
    charge: valueOf(sample, 'charge'),
    volts: valueOf(sample, 'battery_voltage'),
    load: valueOf(sample, 'load'),
    // With energy.enabled = false a sample has no power.
    watts: sample.power?.watts ?? valueOf(sample, 'real_power'),
  };
}

function valueOf({ values }: SampleRecord, name: MetricName): number | null {
  return values[metricOf(name).number] ?? null;
}
