import type { RunResult } from './play.js';

export interface Broken {
  readonly run: number;
  readonly rule: string;
  readonly text: string;
}

export interface Tally {
  runs: number;
  /** Runs with a failure of the mains of a UPS. */
  runsWithOutage: number;
  outages: number;
  readings: number;
  starts: number;
  powerOffs: number;
  blackouts: number;
  playedMs: number;
  /** How many runs with an outage had so many readings. */
  readonly runsByReadings: Map<number, number>;
  readonly broken: Broken[];
}

export function blankTally(): Tally {
  return {
    runs: 0,
    runsWithOutage: 0,
    outages: 0,
    readings: 0,
    starts: 0,
    powerOffs: 0,
    blackouts: 0,
    playedMs: 0,
    runsByReadings: new Map(),
    broken: [],
  };
}

export function count(tally: Tally, run: number, result: RunResult): void {
  const { readings, outages, violation } = result;
  tally.runs += 1;
  tally.outages += outages;
  tally.readings += readings;
  tally.starts += result.starts;
  tally.powerOffs += result.powerOffs;
  tally.blackouts += result.blackouts;
  tally.playedMs += result.playedMs;
  if (outages > 0) {
    tally.runsWithOutage += 1;
    tally.runsByReadings.set(readings, (tally.runsByReadings.get(readings) ?? 0) + 1);
  }
  if (violation !== null) tally.broken.push({ run, rule: violation.rule, text: violation.text });
}

export function add(into: Tally, part: Tally): void {
  into.runs += part.runs;
  into.runsWithOutage += part.runsWithOutage;
  into.outages += part.outages;
  into.readings += part.readings;
  into.starts += part.starts;
  into.powerOffs += part.powerOffs;
  into.blackouts += part.blackouts;
  into.playedMs += part.playedMs;
  for (const [readings, runs] of part.runsByReadings) {
    into.runsByReadings.set(readings, (into.runsByReadings.get(readings) ?? 0) + runs);
  }
  into.broken.push(...part.broken);
}

/** For a campaign of scenarios (campaign.ts). */
export const ofScenarios = {
  entry: new URL('./campaign-thread.js', import.meta.url),
  blank: blankTally,
  add,
};

/** Readings of the median run. */
export function medianReadings({ runsByReadings, runsWithOutage }: Tally): number {
  let left = runsWithOutage / 2;
  for (const [readings, runs] of [...runsByReadings].sort(([a], [b]) => a - b)) {
    left -= runs;
    if (left <= 0) return readings;
  }
  return 0;
}
