// Files that other programs leave behind, made by the test: a log as upslog writes it, and databases with the tables of Eneru.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../../workers/storage/database.js';

export const hour = 3600;
export const day = 24 * hour;

const two = (value: number): string => String(value).padStart(2, '0');

/** A line of upslog's own format. */
export function lineOf(at: number, charge: number | 'NA' = 100, status = 'OL'): string {
  const local = new Date(at * 1000);
  const date = [local.getFullYear(), two(local.getMonth() + 1), two(local.getDate())].join('');
  const time = [local.getHours(), local.getMinutes(), local.getSeconds()].map(two).join('');
  return `${date} ${time} ${String(charge)} 230.4 23 [${status}] NA 50.0`;
}

/** The ages at which readings go to the next coarser tier, by default. */
const tierAges = [day, 30 * day];

/**
 * The times, one at the end of each tier, at which a log must have no line: imports at `now` and in the hour after it then put
 * each line of the log into the same tier, though the tiers begin at whole hours.
 */
export function endsOfTiers(now: number): readonly Span[] {
  return tierAges.map((age) => [now - age - hour, now - age + 2 * hour]);
}

type Span = readonly [number, number];

/** A line every `step` seconds, without `gaps`; an outage of twenty minutes each day (UTC). */
export function logOf(from: number, to: number, step: number, gaps: readonly Span[] = []): string {
  const lines: string[] = [];
  for (let at = from; at < to; at += step) {
    if (gaps.some(([begin, end]) => at >= begin && at < end)) continue;
    const second = at % day;
    lines.push(second < 1200 ? lineOf(at, 100 - Math.floor(second / 20), 'OB DISCHRG') : lineOf(at));
  }
  return `${lines.join('\n')}\n`;
}

/** The tables of Eneru's schema 7, or of its schema 1 without the columns that came later. */
export async function eneruDatabase(path: string, schema: 1 | 7 = 7): Promise<Database> {
  const later = schema === 7;
  const aggregate = `ts INTEGER PRIMARY KEY, battery_charge_avg REAL, battery_charge_min REAL, battery_charge_max REAL,
    battery_runtime_avg REAL, ups_load_avg REAL, ups_load_max REAL, input_voltage_avg REAL, input_voltage_min REAL,
    input_voltage_max REAL, samples_count INTEGER${
      later
        ? `, output_voltage_avg REAL, battery_voltage_avg REAL, ups_temperature_avg REAL, ups_temperature_min REAL,
    ups_temperature_max REAL, input_frequency_avg REAL, output_frequency_avg REAL, real_power_avg REAL, power_nominal_avg REAL`
        : ''
    }`;
  writeFileSync(path, '');
  const db = await Database.open(path);
  await db.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE samples (ts INTEGER NOT NULL, status TEXT, battery_charge REAL, battery_runtime REAL, ups_load REAL,
      input_voltage REAL, output_voltage REAL, depletion_rate REAL, time_on_battery INTEGER, connection_state TEXT${
        later
          ? `, battery_voltage REAL, ups_temperature REAL, input_frequency REAL, output_frequency REAL, real_power REAL,
      power_nominal REAL`
          : ''
      });
    CREATE INDEX idx_samples_ts ON samples (ts);
    CREATE TABLE agg_5min (${aggregate});
    CREATE TABLE agg_hourly (${aggregate});
    CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, ts INTEGER NOT NULL, event_type TEXT NOT NULL, detail TEXT,
      notification_sent INTEGER DEFAULT 1);
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
    INSERT INTO meta VALUES ('schema_version', '${String(schema)}');`);
  return db;
}

/** What the history has, without what differs between two databases of the same content. */
export async function contentOf(directory: string): Promise<Readonly<Record<string, readonly object[]>>> {
  const db = await Database.open(join(directory, 'ridethrough.db'));
  const read = (sql: string): Promise<readonly object[]> => db.all<object>(sql);
  const named = (table: string): Promise<readonly object[]> =>
    read(`SELECT group_id, t.* FROM ${table} t JOIN ups ON ups.key = t.ups ORDER BY 1, t.ts, 3`);
  const content = {
    samples: await named('(SELECT * FROM samples UNION ALL SELECT * FROM recent_samples)'),
    fine: await named('five_minute'),
    coarse: await named('hourly'),
    events: await read(
      "SELECT ts, source, type, detail FROM events WHERE detail LIKE '%imported from%' ORDER BY ts, type",
    ),
    outages: await read(
      'SELECT group_id, started, ended, end_seen, low_charge FROM outages JOIN ups ON ups.key = ups ORDER BY started',
    ),
    audit: await read("SELECT detail FROM events WHERE type = 'HISTORY_IMPORTED' ORDER BY id"),
  };
  await db.close();
  return content;
}
