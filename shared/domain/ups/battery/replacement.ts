// When the score will fall below the threshold, if capacity, runtime and age go on as so far, and how sure that is. Pure.
import type { BatteryReplacement, BatterySettings } from './health.js';
import { isoDay } from './install-date.js';
import type { TermValues } from './score.js';
import { scoreOf, valueOfAge, valueOfRatio } from './score.js';
import type { Trend } from './trend.js';

const daySeconds = 86_400;
/** Nobody plans a battery further ahead. */
const maxDays = 3650;

/** A ratio that changes with time. */
export interface Declining {
  readonly ratio: number;
  /** Of the ratio itself, 90 %. */
  readonly error: number;
  /** Per day; null: unknown, taken as none. */
  readonly trend: Trend | null;
}

export interface Prospect {
  readonly values: TermValues;
  readonly score: number | null;
  readonly capacity: Declining | null;
  readonly runtime: Declining | null;
  readonly age: { readonly years: number; readonly expectedYears: number } | null;
  readonly historyDays: number;
  readonly nowSeconds: number;
}

export interface ReplacementForecast {
  readonly replacement: BatteryReplacement;
  readonly daysRemaining: number | null;
}

type Limits = Pick<BatterySettings, 'thresholdScore' | 'minHistoryDays'>;

export function forecastOf(prospect: Prospect, limits: Limits): ReplacementForecast {
  const { values, score, historyDays, nowSeconds } = prospect;
  const without = (state: 'unknown' | 'none' | 'due'): ReplacementForecast => ({
    replacement: { state, date: null, earliest: null, latest: null, thresholdScore: limits.thresholdScore },
    daysRemaining: null,
  });
  // A test, an outage or the UPS itself says that it is at its end.
  if (values.selfTest === 0) return without('due');
  if (score === null) return without('unknown');
  if (score < limits.thresholdScore) return without('due');
  if (historyDays < limits.minHistoryDays) return without('unknown');
  const days = daysUntil(prospect, limits.thresholdScore, 'slope');
  if (days === null) return without('none');
  const dayAfter = (count: number | null): string | null =>
    count === null ? null : isoDay(nowSeconds + count * daySeconds);
  const earliest = daysUntil(prospect, limits.thresholdScore, 'low');
  const latest = daysUntil(prospect, limits.thresholdScore, 'high');
  return {
    replacement: {
      state: 'predicted',
      date: dayAfter(days),
      earliest: dayAfter(Math.min(earliest ?? days, days)),
      latest: dayAfter(latest === null ? null : Math.max(latest, days)),
      thresholdScore: limits.thresholdScore,
    },
    daysRemaining: days,
  };
}

/** Whole days, at least 1; null: not in ten years. `low` is the course that ends soonest. */
function daysUntil(prospect: Prospect, threshold: number, course: keyof Trend): number | null {
  const isBelow = (days: number): boolean => (scoreAfter(prospect, days, course) ?? 100) < threshold;
  if (!isBelow(maxDays)) return null;
  // The score does not rise with time: a search by halves.
  let [above, below] = [0, maxDays];
  while (below - above > 1) {
    const middle = (above + below) >> 1;
    if (isBelow(middle)) below = middle;
    else above = middle;
  }
  return below;
}

function scoreAfter(
  { values, capacity, runtime, age }: Prospect,
  days: number,
  course: keyof Trend,
): number | null {
  const later = (now: number | null, declining: Declining | null): number | null =>
    now === null || declining === null ? now : valueOfRatio(ratioAfter(declining, days, course));
  return scoreOf({
    ...values,
    capacity: later(values.capacity, capacity),
    runtime: later(values.runtime, runtime),
    age: age === null ? values.age : valueOfAge(age.years + days / 365.25, age.expectedYears),
  }).score;
}

function ratioAfter({ ratio, error, trend }: Declining, days: number, course: keyof Trend): number {
  const offset = { slope: 0, low: -error, high: error }[course];
  return ratio + offset + fallPerDay(trend, course) * days;
}

/** Never up; the most probable course falls only when the trend is certain. */
function fallPerDay(trend: Trend | null, course: keyof Trend): number {
  if (trend === null || (course === 'slope' && trend.high >= 0)) return 0;
  return Math.min(0, trend[course]);
}
