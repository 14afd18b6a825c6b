// Assesses a battery from what is known of it: the terms, the score, the replacement, the runtime estimate. Pure.
import type { Verdict } from '../self-test.js';
import { durationInWords, withOrdinarySpaces } from '../../base/duration.js';
import { minFall } from './capacity.js';
import { isComparable } from './load.js';
import type { FullDay, Nominal } from './full-runtime.js';
import { learningDays, presentDays, presentRatio } from './full-runtime.js';
import type { BatteryHealth, BatterySettings, BatteryTerm, TermName } from './health.js';
import { termNames } from './health.js';
import { ageYears, isoDay } from './install-date.js';
import type { Declining } from './replacement.js';
import { forecastOf } from './replacement.js';
import type { DischargeSummary } from './runtime-estimate.js';
import { estimateRuntime } from './runtime-estimate.js';
import { scoreOf, valueOfAge, valueOfAnomalies, valueOfRatio, weights } from './score.js';
import type { TrendPoint } from './trend.js';
import { median, ninetyPercent, scatterOf, trendOf } from './trend.js';
import { percent } from './wording.js';

const daySeconds = 86_400;
/** What is older is not read. */
export const readDays = 365;
/** The time a trend is taken of, where it has enough points: the end of a battery is faster than its middle. */
const trendDays = 180;
/** An older self test or anomaly says nothing of today. */
const recentDays = 180;
/** Discharges whose median is the present capacity. */
const presentDischarges = 3;
/** Of the fall of a charge in whole percents, rounded at both ends: the root of 2/12. */
const chargeError = 0.41;

/** `at`: when the outage began, Unix seconds; `seconds`: how long the UPS was seen on battery; `charge`: the last one in percent. */
export interface LostPower {
  readonly at: number;
  readonly seconds: number;
  readonly charge: number | null;
}

export interface Observations {
  readonly nowSeconds: number;
  readonly series: { readonly number: number; readonly since: number };
  /** YYYY-MM-DD. */
  readonly installDate: string | null;
  readonly nominal: Nominal | null;
  /** The load of the last day with full readings, or of the last discharge. */
  readonly load: number | null;
  /** Of this battery, in order of time, as the discharges. */
  readonly days: readonly FullDay[];
  readonly discharges: readonly DischargeSummary[];
  readonly verdict: Verdict | null;
  /** The last outage in which this host lost its power although the battery seemed to be good. */
  readonly lostPower: LostPower | null;
  /** Unix seconds of the anomalies (BATTERY_ANOMALY). */
  readonly anomalies: readonly number[];
  /** The UPS shows RB. */
  readonly asksForReplacement: boolean;
  readonly reportsCharge: boolean;
}

interface Found {
  readonly value: number | null;
  readonly detail: string;
}

export function assess(seen: Observations, settings: BatterySettings): BatteryHealth {
  const { nowSeconds, series, nominal } = seen;
  const capacity = capacityOf(seen);
  const estimate =
    seen.load === null ? null : estimateRuntime(seen.discharges, capacity?.ratio ?? 1, seen.load);
  const runtime = runtimeOf(seen) ?? estimateOf(estimate, settings);
  const years = ageYears(seen.installDate, nowSeconds);
  const found: Readonly<Record<TermName, Found>> = {
    capacity: capacityTerm(capacity, seen),
    runtime: runtimeTerm(runtime, seen),
    selfTest: selfTestTerm(seen),
    anomalies: anomaliesTerm(seen),
    age: ageTerm(years, settings.expectedLifeYears),
  };
  const values = byTerm((name) => found[name].value);
  const { score: exact, confidence } = scoreOf(values);
  const score = exact === null ? null : Math.round(exact * 10) / 10;
  const { replacement, daysRemaining } = forecastOf(
    {
      values,
      score,
      capacity,
      runtime,
      age: years === null ? null : { years, expectedYears: settings.expectedLifeYears },
      historyDays: (nowSeconds - series.since) / daySeconds,
      nowSeconds,
    },
    settings,
  );
  return {
    score,
    confidence,
    availableTerms: termNames.filter((name) => values[name] !== null),
    terms: byTerm((name): BatteryTerm => {
      const { value, detail } = found[name];
      return {
        available: value !== null,
        weight: weights[name],
        value: value === null ? null : Math.round(value * 10) / 10,
        detail,
      };
    }),
    nominalRuntimeSeconds:
      nominal === null ? settings.nominalRuntimeSeconds || null : Math.round(nominal.runtime),
    installDate: years === null ? null : seen.installDate,
    ageYears: years === null ? null : Math.round(years * 100) / 100,
    replacementDaysRemaining: daysRemaining,
    replacementDue:
      replacement.state === 'due' || (daysRemaining !== null && daysRemaining <= settings.horizonDays),
    replacement,
    runtimeEstimate: estimate,
    series: { number: series.number, since: Math.floor(series.since) },
    ts: Math.floor(nowSeconds),
  };
}

function byTerm<A>(of: (name: TermName) => A): Readonly<Record<TermName, A>> {
  return {
    capacity: of('capacity'),
    runtime: of('runtime'),
    selfTest: of('selfTest'),
    anomalies: of('anomalies'),
    age: of('age'),
  };
}

/** From the discharges of the last year; one alone is the measure of the others and tells nothing. */
function capacityOf({ discharges, nowSeconds }: Observations): Declining | null {
  const points = discharges.flatMap(({ at, capacity }) =>
    capacity === null ? [] : [{ x: at / daySeconds, y: capacity }],
  );
  const today = nowSeconds / daySeconds;
  const recent = points.filter(({ x }) => x <= today && x >= today - readDays);
  if (points.length < 2 || recent.length === 0) return null;
  const fall =
    median(discharges.flatMap((discharge) => (discharge.capacity === null ? [] : [discharge.fall]))) ?? 0;
  const leastError = chargeError / Math.max(fall, minFall);
  return decliningOf({ points: recent, newest: presentDischarges, references: 1, leastError }, today);
}

/** From what the UPS reports when full. */
function runtimeOf({ days, nowSeconds }: Observations): Declining | null {
  const today = Math.floor(nowSeconds / daySeconds);
  const present = presentRatio(days, today);
  if (present === null) return null;
  const points = days.flatMap(({ day, ratio }) => (ratio === null ? [] : [{ x: day, y: ratio }]));
  const measured = { points, newest: presentDays, references: learningDays, leastError: 0 };
  return { ...decliningOf(measured, today), ratio: present };
}

/** With a configured nominal runtime, of a UPS that reports none. */
function estimateOf(estimate: BatteryHealth['runtimeEstimate'], settings: BatterySettings): Declining | null {
  const { nominalRuntimeSeconds: nominal } = settings;
  if (estimate === null || nominal === 0) return null;
  return { ratio: estimate.fullSeconds / nominal, error: estimate.errorSeconds / nominal, trend: null };
}

interface Measured {
  readonly points: readonly TrendPoint[];
  /** The points whose median is the present ratio, brought to today by the trend. */
  readonly newest: number;
  /** How many measurements all points are compared with: their error is that of every ratio. */
  readonly references: number;
  /** The least error of one point. */
  readonly leastError: number;
}

function decliningOf({ points, newest, references, leastError }: Measured, today: number): Declining {
  const trend = trendOf(points.filter(({ x }) => x >= today - trendDays)) ?? trendOf(points);
  const last = points.slice(-newest);
  const slope = trend === null ? 0 : Math.min(0, trend.slope);
  const ratio = median(last.map(({ x, y }) => y + slope * (today - x))) ?? 1;
  const one = Math.max(leastError, scatterOf(points, slope));
  const error = ninetyPercent * one * Math.sqrt(1 / Math.max(1, last.length) + 1 / references);
  return { ratio: Math.max(0, ratio), error, trend };
}

function capacityTerm(capacity: Declining | null, { discharges }: Observations): Found {
  const compared = discharges.filter((discharge) => discharge.capacity !== null).length;
  if (capacity === null)
    return {
      value: null,
      detail:
        compared === 0
          ? 'no discharge of 10 points of charge yet'
          : 'needs two discharges of 10 points at a comparable load, one in the last year',
    };
  return {
    value: valueOfRatio(capacity.ratio),
    detail: `${percent(capacity.ratio)} of the capacity of its first discharge, from ${String(compared)} discharges`,
  };
}

function runtimeTerm(runtime: Declining | null, { nominal, load, days }: Observations): Found {
  if (runtime === null)
    return {
      value: null,
      detail:
        nominal !== null && load !== null && !isComparable(load, nominal.load)
          ? 'the load has changed: the nominal runtime is learned again'
          : 'no runtime of three days when full, rested and at a comparable load',
    };
  const of =
    nominal === null
      ? 'the configured runtime'
      : `${withOrdinarySpaces(durationInWords(nominal.runtime))} when new`;
  const source = days.length === 0 ? 'estimated from discharges' : 'as the UPS reports it when full';
  return { value: valueOfRatio(runtime.ratio), detail: `${percent(runtime.ratio)} of ${of}, ${source}` };
}

const verdicts = {
  PASSED: [100, 'passed'],
  WARNING: [50, 'ended with a warning'],
  FAILED: [0, 'failed'],
} as const;

function selfTestTerm(seen: Observations): Found {
  const { asksForReplacement, discharges, series, nowSeconds } = seen;
  if (asksForReplacement) return { value: 0, detail: 'the UPS asks for a new battery (RB)' };
  const recent = <A extends { readonly at: number }>(one: A | null): A | null =>
    one !== null &&
    one.at >= Math.max(series.since, nowSeconds - recentDays * daySeconds) - daySeconds &&
    one.at <= nowSeconds + daySeconds
      ? one
      : null;
  const verdict = recent(seen.verdict);
  const lost = recent(seen.lostPower);
  // A battery that has carried the load since then is another one, or was not the cause.
  const isProven = (at: number): boolean =>
    discharges.some((discharge) => discharge.at > at && discharge.fall >= minFall);
  if (lost !== null && lost.at > (verdict?.at ?? 0) && !isProven(lost.at))
    return { value: 0, detail: lostInWords(lost) };
  if (verdict === null) return { value: null, detail: 'no self test of this battery in the last half year' };
  const [value, word] = verdicts[verdict.result];
  return { value, detail: `${word} on ${isoDay(verdict.at)}` };
}

function lostInWords({ at, seconds, charge }: LostPower): string {
  const seen = withOrdinarySpaces(durationInWords(seconds));
  const left = charge === null ? '' : `, with ${String(Math.round(charge))} % of charge`;
  return `this host lost its power ${seen} into the outage of ${isoDay(at)}${left}`;
}

function anomaliesTerm({ anomalies, reportsCharge, nowSeconds }: Observations): Found {
  if (!reportsCharge)
    return { value: null, detail: 'the UPS reports no charge, so a sudden loss cannot be seen' };
  const count = anomalies.filter((at) => nowSeconds - at < recentDays * daySeconds).length;
  return {
    value: valueOfAnomalies(count),
    detail: `${count === 0 ? 'no' : String(count)} sudden loss of charge on line power in half a year`,
  };
}

function ageTerm(years: number | null, expectedYears: number): Found {
  if (years === null) return { value: null, detail: 'no date: set battery_install_date' };
  return {
    value: valueOfAge(years, expectedYears),
    detail: `${years.toFixed(1)} of ${String(expectedYears)} years`,
  };
}
