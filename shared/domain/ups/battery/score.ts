// The terms of the score, what each measured value is worth, and the score (specification/storage.md#battery-health). Pure.
import type { TermName } from './health.js';
import { termNames } from './health.js';

/** What the battery has shown weighs most; what it has not done wrong, and its age, weigh least. */
export const weights: Readonly<Record<TermName, number>> = {
  capacity: 0.4,
  runtime: 0.25,
  selfTest: 0.2,
  anomalies: 0.05,
  age: 0.1,
};

/** With less weight available there is no score. */
const minConfidence = 0.3;

/** Lead acid is at its end at 80 % of its capacity (IEEE 1188), which is worth 50; at 60 % it fails soon. */
const worthless = 0.6;
const asNew = 1;
const pointsPerAnomaly = 25;

/** A capacity or runtime against that of a new battery. */
export function valueOfRatio(ratio: number): number {
  return within0and100(((ratio - worthless) / (asNew - worthless)) * 100);
}

/** 50 at the end of the expected life. */
export function valueOfAge(years: number, expectedYears: number): number {
  return within0and100(100 - (50 * years) / expectedYears);
}

export function valueOfAnomalies(count: number): number {
  return within0and100(100 - pointsPerAnomaly * count);
}

export type TermValues = Readonly<Record<TermName, number | null>>;

/** The weighted mean of the known terms. */
export function scoreOf(values: TermValues): { readonly score: number | null; readonly confidence: number } {
  let [sum, weight] = [0, 0];
  for (const name of termNames) {
    const value = values[name];
    if (value === null) continue;
    sum += value * weights[name];
    weight += weights[name];
  }
  const confidence = Math.round(weight * 100) / 100;
  return { score: confidence < minConfidence ? null : sum / weight, confidence };
}

function within0and100(value: number): number {
  return Math.min(100, Math.max(0, value));
}
