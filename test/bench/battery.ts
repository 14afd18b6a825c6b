// How well the health of a battery agrees with batteries whose truth is known: lives of a year with noisy readings and a load that
// varies, half of them on a UPS without battery.runtime. One battery keeps its capacity, one loses 30 % a year.
import type { BatteryHealth } from '../../shared/domain/ups/battery/health.js';
import { BatteryLife, day, newRuntime } from '../workers/storage/battery/battery-life.js';
import { BatteryBench, daily, start } from '../workers/storage/battery/bench.js';
import type { BenchOptions } from './options.js';
import type { Figure } from './table.js';

const noise = 0.05;
const months = 11;
/** The first discharge, which the capacity of the others is against. */
const firstDischarge = start + 29.75 * day;
/** Before, there is no trend. */
const firstForecast = 4;
const defaults = { rounds: 12 };

const load = (at: number): number => 25 + 6 * Math.sin(at / 40_000);
const capacity = (at: number): number => 1 - (0.3 * (at - start)) / (365 * day);

interface Found {
  readonly scoreErrors: number[];
  readonly widths: number[];
  /** Whether the true date was in the band. */
  readonly dates: boolean[];
  /** Whether the true runtime was within the error of the estimate. */
  readonly runtimes: boolean[];
  healthyAlerts: number;
}

export async function batteryHealth(options: BenchOptions): Promise<readonly Figure[]> {
  const rounds = options.rounds ?? defaults.rounds;
  const found: Found = { scoreErrors: [], widths: [], dates: [], runtimes: [], healthyAlerts: 0 };
  for (let round = 1; round <= rounds; round += 1)
    for (const reportsRuntime of [true, false]) {
      found.healthyAlerts += await healthyYear(7919 * round, reportsRuntime);
      await dyingYear(104_729 * round, reportsRuntime, found);
    }
  const share = (of: readonly boolean[]): string =>
    `${String(of.filter(Boolean).length)} of ${String(of.length)}`;
  const mean = found.widths.reduce((sum, width) => sum + width, 0) / Math.max(1, found.widths.length);
  return [
    { what: 'lives of a year, of each kind', value: String(2 * rounds) },
    {
      what: 'alerts of batteries that keep their capacity',
      value: String(found.healthyAlerts),
      against: 'goal: 0',
    },
    { what: 'the true date is in the band', value: share(found.dates), against: 'goal: 9 of 10' },
    { what: 'mean width of the band', value: `${mean.toFixed(0)} days` },
    {
      what: 'largest error of the score',
      value: `${Math.max(...found.scoreErrors).toFixed(1)} points`,
      against: 'goal: 15',
    },
    {
      what: 'the true runtime is within the error of the estimate',
      value: share(found.runtimes),
      against: 'goal: 9 of 10',
    },
  ];
}

async function healthyYear(seed: number, reportsRuntime: boolean): Promise<number> {
  const bench = new BatteryBench();
  bench.configure(daily);
  try {
    await bench.live(
      new BatteryLife({ capacity: () => 1, noise, seed, reportsRuntime, load }),
      start,
      months,
    );
    return bench.events.length;
  } finally {
    await bench.end();
  }
}

async function dyingYear(seed: number, reportsRuntime: boolean, found: Found): Promise<void> {
  const bench = new BatteryBench();
  bench.configure(daily);
  const life = new BatteryLife({ capacity, noise, seed, reportsRuntime, load });
  let due = start;
  while (trueScore(due, reportsRuntime) >= daily.thresholdScore) due += day;
  try {
    for (let [month, at] = [0, start]; month < months; month += 1) {
      at = await bench.live(life, at, 1);
      const health = bench.health();
      compareRuntime(health, at, found);
      if (month < firstForecast) continue;
      if (health.score !== null)
        found.scoreErrors.push(Math.abs(health.score - trueScore(at, reportsRuntime)));
      compareDates(health, due, found);
    }
  } finally {
    await bench.end();
  }
}

/** By the terms that such a UPS has: capacity, anomalies, and runtime if it reports one. */
function trueScore(at: number, reportsRuntime: boolean): number {
  const value = (ratio: number): number => Math.min(100, Math.max(0, ((ratio - 0.6) / 0.4) * 100));
  const ofDischarges = 0.4 * value(capacity(at) / capacity(firstDischarge));
  return reportsRuntime ? (ofDischarges + 0.25 * value(capacity(at)) + 5) / 0.7 : (ofDischarges + 5) / 0.45;
}

function compareRuntime({ runtimeEstimate: estimate }: BatteryHealth, at: number, { runtimes }: Found): void {
  if (estimate === null) return;
  const truth = newRuntime(estimate.loadPercent) * capacity(at);
  runtimes.push(Math.abs(estimate.fullSeconds - truth) <= estimate.errorSeconds);
}

/** A date is a whole day. */
function compareDates({ replacement }: BatteryHealth, due: number, { dates, widths }: Found): void {
  if (replacement.state !== 'predicted') return;
  const [earliest = 0, latest = 0] = [replacement.earliest, replacement.latest].map((date) =>
    date === null ? Infinity : Date.parse(date) / 1000,
  );
  dates.push(due >= earliest - day && due <= latest + day);
  if (latest !== Infinity) widths.push((latest - earliest) / day);
}
