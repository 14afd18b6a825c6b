// A generated history for the pictures: two years of readings and the outages of a month, written into the database of a
// stopped daemon. The same every time.
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { formatBattery, formatMs } from '../../shared/domain/base/format.js';
import type { MetricName } from '../../shared/domain/status/metrics.js';
import { metrics } from '../../shared/domain/status/metrics.js';
import { dayRows, outageRows, testRows } from './past.js';

const minute = 60;
const hour = 3600;
const day = 24 * hour;

interface Outage {
  readonly from: number;
  readonly seconds: number;
}

/** Before now: this afternoon, this week, last month. */
const outages: readonly { readonly ago: number; readonly seconds: number }[] = [
  { ago: 26 * minute, seconds: 150 },
  { ago: 9 * hour, seconds: 420 },
  { ago: 3.2 * day, seconds: 1500 },
  { ago: 11 * day, seconds: 300 },
  { ago: 140 * day, seconds: 2400 },
];
/** Times without a daemon, shown as gaps. */
const gaps: readonly { readonly ago: number; readonly seconds: number }[] = [
  { ago: 15 * hour, seconds: 40 * minute },
  { ago: 16 * day, seconds: 20 * hour },
];

/** Fills `ridethrough.db` in `directory` up to `now` (Unix seconds). */
export async function writeHistory(
  directory: string,
  groupIds: readonly string[],
  now: number,
): Promise<void> {
  const db = new sqlite3.Database(join(directory, 'ridethrough.db'));
  const run = (sql: string): Promise<void> =>
    new Promise((resolve, reject) => db.exec(sql, (error) => (error === null ? resolve() : reject(error))));
  const rows: string[] = [];
  for (const [index, group] of groupIds.entries()) {
    const key = `(SELECT key FROM ups WHERE group_id = '${group}')`;
    await run(`INSERT OR IGNORE INTO ups (group_id) VALUES ('${group}')`);
    await run('BEGIN');
    await run(rawRows(key, index, now));
    await run(rolledRows('five_minute', key, index, { now, step: 5 * minute, span: 30 * day }));
    await run(rolledRows('hourly', key, index, { now, step: hour, span: 2 * 365 * day }));
    const past = {
      ...{ key, now, outages, isGap: (ts: number) => isGap(ts, now) },
      watts: (ts: number) => valueAt('real_power', ts, index, now) ?? 0,
    };
    rows.push(...dayRows(past), ...testRows(past));
    if (index === 0) rows.push(...eventRows(group, now), ...outageRows(past));
    await run('COMMIT');
  }
  await run(`BEGIN; ${rows.join(';')}; COMMIT`);
  const rolled = Math.floor(now / hour) * hour;
  await run(`UPDATE ups SET five_minute_until = ${String(rolled)}, hourly_until = ${String(rolled)}`);
  await new Promise<void>((resolve) => db.close(() => resolve()));
}

/** Every 20 s for a day; a shorter interval gives the same picture. */
function rawRows(key: string, index: number, now: number): string {
  const statements: string[] = [];
  for (let ts = now - day; ts < now - 20; ts += 20) {
    if (isGap(ts, now)) continue;
    const values = metrics.map(({ name, scale }) => stored(valueAt(name, ts, index, now), scale));
    statements.push(`(${key}, ${String(ts * 1000)}, ${values.join(', ')})`);
  }
  const columns = metrics.map(({ name }) => name).join(', ');
  return inChunks(`INSERT OR IGNORE INTO samples (ups, ts, ${columns}) VALUES`, statements);
}

interface Tier {
  readonly now: number;
  readonly step: number;
  readonly span: number;
}

function rolledRows(table: string, key: string, index: number, { now, step, span }: Tier): string {
  const statements: string[] = [];
  for (let ts = Math.floor((now - span) / step) * step; ts < now - step; ts += step) {
    if (isGap(ts, now) || isGap(ts + step / 2, now)) continue;
    metrics.forEach(({ name, scale }, metric) => {
      const found = [0, 0.2, 0.4, 0.6, 0.8].flatMap(
        (part) => valueAt(name, ts + part * step, index, now) ?? [],
      );
      if (found.length === 0) return;
      const scaled = found.map((value) => Math.round(value * scale));
      const total = scaled.reduce((sum, value) => sum + value, 0);
      const spread = name === 'voltage' ? 1.6 * scale : 0;
      const low = Math.max(0, Math.round(Math.min(...scaled) - spread));
      const high = Math.round(Math.max(...scaled) + spread);
      statements.push(`(${[key, metric, ts, found.length, total, low, high].map(String).join(', ')})`);
    });
  }
  return inChunks(`INSERT OR IGNORE INTO ${table} (ups, metric, ts, n, total, low, high) VALUES`, statements);
}

function inChunks(head: string, rows: readonly string[]): string {
  const chunks: string[] = [];
  for (let from = 0; from < rows.length; from += 500)
    chunks.push(`${head} ${rows.slice(from, from + 500).join(', ')}`);
  return chunks.join(';');
}

/** The words are those of supervisor/policy and supervisor/self-tests. */
function eventRows(source: string, now: number): readonly string[] {
  const row = (ts: number, category: string, type: string, detail: string): string =>
    `INSERT INTO events (ts, source, category, type, detail) VALUES (${String(Math.round(ts))}, '${source}', '${category}', '${type}', '${detail}')`;
  const battery = (ts: number): string =>
    formatBattery(Math.round(chargeAt(ts, now)), Math.round(valueAt('runtime', ts, 0, now) ?? 0));
  return [
    ...outages.flatMap(({ ago, seconds }) => [
      row(now - ago, 'power_event', 'ON_BATTERY', battery(now - ago)),
      row(
        now - ago + seconds,
        'power_event',
        'POWER_RESTORED',
        `on line power after ${formatMs(seconds * 1000)}; ${battery(now - ago + seconds)}`,
      ),
    ]),
    row(now - 31 * hour, 'diagnostics', 'AVR_BOOST_ACTIVE', 'the UPS raises a low input voltage'),
    row(now - 30.6 * hour, 'diagnostics', 'AVR_INACTIVE', 'the input voltage passes unchanged'),
    row(now - 5.1 * day, 'power_event', 'BROWNOUT_DETECTED', 'input voltage 196.2 V'),
    row(
      now - 5.09 * day,
      'diagnostics',
      'VOLTAGE_NORMALIZED',
      `228.4 V after ${formatMs(0.01 * day * 1000)}`,
    ),
    row(
      now - 6 * day,
      'diagnostics',
      'SELF_TEST_PASSED',
      'test.battery.start.quick by the schedule: Done and passed',
    ),
  ];
}

function isGap(ts: number, now: number): boolean {
  return gaps.some(({ ago, seconds }) => ts >= now - ago && ts < now - ago + seconds);
}

function stored(value: number | null, scale: number): string {
  return value === null ? 'NULL' : String(Math.round(value * scale));
}

/** The value that a UPS of 1500 VA in an office reports; null: none. */
function valueAt(name: MetricName, ts: number, index: number, now: number): number | null {
  const outage = outageAt(ts, now);
  const daily = Math.sin(((ts % day) / day - 0.3) * 2 * Math.PI);
  const weekly = new Date(ts * 1000).getUTCDay() % 6 === 0 ? -9 : 0;
  const load = 38 + index * 4 + 9 * daily + weekly + 3 * noise(ts, 1);
  const charge = chargeAt(ts, now);
  const volts = 229 - 3.5 * daily + 1.8 * noise(ts, 2) + 2 * Math.sin(ts / (9 * day));
  switch (name) {
    case 'charge':
      return charge;
    case 'runtime':
      return (charge / 100) * 2600 * (40 / load);
    case 'load':
      return load;
    case 'voltage':
      return outage === undefined ? volts : 0;
    case 'output_voltage':
      return outage === undefined ? volts : 230;
    case 'battery_voltage':
      return 27.4 - (outage === undefined ? 0 : 1.6) - (100 - charge) * 0.02;
    case 'frequency':
      return outage === undefined ? 50 + 0.03 * noise(ts, 3) : null;
    case 'temperature':
      return 27 + 2.4 * daily + 4 * Math.sin((ts / (365 * day)) * 2 * Math.PI) + 0.3 * noise(ts, 4);
    case 'real_power':
      return load * 9;
    case 'output_frequency':
    case 'depletion':
      return null;
  }
}

function outageAt(ts: number, now: number): Outage | undefined {
  return outages
    .map(({ ago, seconds }) => ({ from: now - ago, seconds }))
    .find(({ from, seconds }) => ts >= from && ts < from + seconds);
}

/** Discharge by 2 % per minute, recharge in six hours. */
function chargeAt(ts: number, now: number): number {
  let charge = 100;
  for (const { ago, seconds } of outages) {
    const from = now - ago;
    if (ts < from) continue;
    const lost = (Math.min(ts - from, seconds) / minute) * 2;
    const back = Math.max(0, ts - from - seconds) * (lost / (6 * hour));
    charge = Math.min(charge, 100 - Math.max(0, lost - back));
  }
  return charge;
}

/** From -1 to 1, the same for the same time. */
function noise(ts: number, kind: number): number {
  const value = Math.sin(ts * 12.9898 + kind * 78.233) * 43_758.5453;
  return (value - Math.floor(value)) * 2 - 1;
}
