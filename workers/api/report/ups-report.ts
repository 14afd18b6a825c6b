// The part of a report about one UPS. Pure.
import { flagsOfEstimate } from '../../../shared/domain/ups/energy.js';
import type { Period } from '../../../shared/domain/base/local-calendar.js';
import { dayOf } from '../../../shared/domain/base/local-calendar.js';
import type { ReportStep, UpsReport } from '../../../shared/domain/outage/report.js';
import type { EnergyDay, ReportData } from '../history/report.js';
import type { Extreme, StepSums } from '../history/report-steps.js';

export const joulesPerKwh = 3_600_000;
/** Missing time that is no gap: steps around a restart, and the last minute, which is not written yet. */
const toleratedSeconds = 240;

export interface UpsSources {
  readonly source: string;
  readonly period: Period;
  readonly now: number;
  readonly data: ReportData;
  /** `day`: YYYYMMDD; null for an hour. */
  readonly steps: readonly (Pick<ReportStep, 'ts' | 'label'> & { readonly day: number | null })[];
  readonly costPerKwh: number;
}

export function upsReport(sources: UpsSources): Omit<UpsReport, 'ups' | 'label' | 'source' | 'battery'> {
  const { source, period, now, data, costPerKwh } = sources;
  const voltage = data.voltage.get(source) ?? [];
  const load = data.load.get(source) ?? [];
  const charge = data.charge.get(source) ?? [];
  const outages = data.outages.get(source) ?? [];
  const seconds = (wanted: (cause: string) => boolean): number =>
    outages.filter(({ cause }) => wanted(cause)).reduce((sum, { ms }) => sum + ms / 1000, 0);
  const energy = data.energy.get(source) ?? [];
  const energyKwh = energy.length === 0 ? null : kwhOf(energy);
  const { estimated, powerFactor } = flagsOfEstimate(Math.max(0, ...energy.map((day) => day.estimated)));
  const tests = data.tests.filter((test) => test.source === source);
  const count = (...results: readonly string[]): number =>
    tests.filter(({ result }) => results.includes(result)).length;
  const passed = count('PASSED');
  const failed = count('FAILED');
  return {
    ...coverageOf(sources, [voltage, load, charge]),
    onBatterySeconds: seconds((cause) => cause === 'outage'),
    testSeconds: seconds((cause) => cause !== 'outage'),
    outages: outages.filter(({ cause }) => cause === 'outage').reduce((sum, one) => sum + one.count, 0),
    lowestVolts: lowestOf(voltage),
    highestVolts: highestOf(voltage),
    lowestCharge: lowestOf(charge),
    meanLoad: meanOf(load),
    highestLoad: highestOf(load),
    energyKwh,
    cost: energyKwh === null || costPerKwh === 0 ? null : energyKwh * costPerKwh,
    energyEstimated: estimated,
    powerFactor,
    energyPartial: isPartial(energy, period, now),
    tests: { passed, failed, other: tests.length - passed - failed },
    steps: stepsFor(sources, load, energy),
  };
}

/**
 * The time a UPS was read, by the days that were counted. A day of before that counting, or of imported history, has the length of
 * its roll-ups.
 */
function coverageOf(
  { source, period: { from, to }, now, data }: UpsSources,
  metrics: readonly (readonly StepSums[])[],
): Pick<UpsReport, 'watchedSeconds' | 'readSeconds' | 'unseenSeconds'> {
  const counted = data.coverage.get(source) ?? [];
  const days = new Set(counted.map(({ day }) => day));
  const others = metrics.map((steps) => steps.filter((one) => !days.has(dayOf(one.from * 1000))));
  const rolled = others.map((steps) => steps.reduce((sum, one) => sum + one.seconds, 0));
  const first = Math.min(...counted.map((one) => one.first / 1000), ...others.flat().map((one) => one.from));
  // A UPS that was never read is unseen for all of the time; one that was first read afterwards is not.
  const isUnread = !Number.isFinite(first);
  const begin =
    data.known.has(source) || (isUnread && !data.later.has(source))
      ? from
      : Math.min(to, Math.max(from, first));
  const last = Math.max(...counted.map((one) => one.last / 1000));
  // What comes after the last count is not written yet, not unseen.
  const counts = now - last <= toleratedSeconds ? Math.min(now, last) : now;
  const watchedSeconds = Math.max(0, Math.min(to, counts) - begin);
  const read = counted.reduce((sum, { seconds }) => sum + seconds, 0) + Math.max(0, ...rolled);
  const readSeconds = Math.min(read, watchedSeconds);
  return { watchedSeconds, readSeconds, unseenSeconds: watchedSeconds - readSeconds };
}

function isPartial(energy: readonly EnergyDay[], { from, to }: Period, now: number): boolean {
  const [any] = energy;
  if (any === undefined) return false;
  const counted = energy.reduce((sum, { seconds }) => sum + seconds, 0);
  return Math.min(to, now) - Math.max(from, any.since / 1000) - counted > toleratedSeconds;
}

/** The load by hour or day; the energy by day. */
function stepsFor(
  { steps }: UpsSources,
  load: readonly StepSums[],
  energy: readonly EnergyDay[],
): readonly ReportStep[] {
  const days = new Map(energy.map((one) => [one.day, one]));
  return steps.map(({ ts, label, day }, place) => {
    const counted = day === null ? undefined : days.get(day);
    return {
      ...{ ts, label, kwh: counted === undefined ? null : kwhOf([counted]) },
      load: meanOf(load.filter(({ step }) => step === place)),
    };
  });
}

function kwhOf(days: readonly EnergyDay[]): number {
  return days.reduce((sum, { joules }) => sum + joules, 0) / joulesPerKwh;
}

/** Weighted by the values, not by the steps. */
function meanOf(steps: readonly StepSums[]): number | null {
  const n = steps.reduce((sum, step) => sum + step.n, 0);
  return n === 0 ? null : steps.reduce((sum, step) => sum + step.total, 0) / n;
}

function lowestOf(steps: readonly StepSums[]): Extreme | null {
  return best(
    steps.flatMap(({ low }) => low ?? []),
    (a, b) => a.value <= b.value,
  );
}

function highestOf(steps: readonly StepSums[]): Extreme | null {
  return best(
    steps.flatMap(({ high }) => high ?? []),
    (a, b) => a.value >= b.value,
  );
}

function best(all: readonly Extreme[], isBetter: (a: Extreme, b: Extreme) => boolean): Extreme | null {
  return all.reduce<Extreme | null>(
    (found, extreme) => (found === null || !isBetter(found, extreme) ? extreme : found),
    null,
  );
}
