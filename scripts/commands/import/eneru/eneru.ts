// A database of Eneru as a source of history: samples, 5-minute and hourly means, events. Columns that an older Eneru did not
// have are missing values; every value is checked.
import { metricOf, metrics } from '../../../../shared/domain/status/metrics.js';
import { causeOf } from '../../../../shared/domain/outage/outage.js';
import {
  celsius,
  charge,
  hertz,
  load,
  runtime,
  volts,
  watts,
} from '../../../../shared/domain/ups/quantity.js';
import type { QuantityParser } from '../../../../shared/domain/ups/quantity.js';
import { shown } from '../../../../shared/domain/base/decode.js';
import { singleLine } from '../../../../shared/domain/base/single-line.js';
import type { ImportedOutage } from '../../../../shared/protocol/history-import.js';
import { ImportedEventType } from '../../../../shared/protocol/history-import.js';
import type { HistorySink, HistorySource } from '../history-sink.js';
import { ImportError } from '../history-sink.js';
import { OutagesSeen } from '../outages-seen.js';
import type { DatabaseCopy } from './database-copy.js';
import { openCopy } from './database-copy.js';

const rowsPerPiece = 5_000;
const maxDetail = 900;
/** Unix seconds of the year 9999. */
const latest = 253_402_300_799;
const maxReadings = 36_000;

type Name = (typeof metrics)[number]['name'];
/** A column of `samples` and the beginning of those of the means. */
const columns: readonly (readonly [string, Name, QuantityParser])[] = [
  ['battery_charge', 'charge', charge],
  ['battery_runtime', 'runtime', runtime],
  ['ups_load', 'load', load],
  ['input_voltage', 'voltage', volts],
  ['output_voltage', 'output_voltage', volts],
  ['battery_voltage', 'battery_voltage', volts],
  ['input_frequency', 'frequency', hertz],
  ['output_frequency', 'output_frequency', hertz],
  ['ups_temperature', 'temperature', celsius],
  ['real_power', 'real_power', watts],
];
/** Percent per minute. */
const depletion: QuantityParser = (text) => (text === undefined || text === '' ? null : Number(text));

type Row = Readonly<Record<string, unknown>>;
interface Position {
  readonly ts: number;
  readonly row: number;
}

export class EneruDatabase implements HistorySource {
  readonly source = 'eneru';
  readonly unit = 'rows';
  readonly #copy: DatabaseCopy;
  /** The columns of each table. */
  readonly #tables: ReadonlyMap<string, ReadonlySet<string>>;

  private constructor(copy: DatabaseCopy, tables: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#copy = copy;
    this.#tables = tables;
  }

  static async open(path: string): Promise<EneruDatabase> {
    const copy = await openCopy(path);
    const found = await copy.db.all<{ name: string; field: string }>(
      `SELECT m.name, c.name AS field FROM sqlite_schema m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND m.name IN ('samples', 'agg_5min', 'agg_hourly', 'events')`,
    );
    const tables = new Map<string, Set<string>>();
    for (const { name, field } of found) tables.set(name, (tables.get(name) ?? new Set()).add(field));
    if (tables.get('samples')?.has('ts') === true) return new EneruDatabase(copy, tables);
    await copy.close();
    throw new ImportError(`${path} is no history of Eneru: it has no table samples`);
  }

  async read(sink: HistorySink, pause: () => Promise<boolean>): Promise<number> {
    try {
      return await this.#read(sink, pause);
    } catch (error) {
      // A table of another form than Eneru's, or damage that the check does not see.
      if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE')))
        throw error;
      throw new ImportError(`the database cannot be read: ${error.message}`);
    }
  }

  async #read(sink: HistorySink, pause: () => Promise<boolean>): Promise<number> {
    let rows = 0;
    const each = async (table: string, wanted: readonly string[], take: (row: Row, at: number) => void) => {
      rows += await this.#each(table, wanted, sink, take, pause);
    };
    const samples = ['status', 'connection_state', 'depletion_rate', ...columns.map(([column]) => column)];
    await each('samples', samples, (row, at) => takeSample(sink, row, at));
    for (const [table, seconds] of [
      ['agg_5min', 300],
      ['agg_hourly', 3600],
    ] as const) {
      const names = columns.flatMap(([column]) => ['avg', 'min', 'max'].map((kind) => `${column}_${kind}`));
      await each(table, ['samples_count', ...names], (row, at) => takeMean(sink, seconds, row, at));
    }
    const found: ImportedOutage[] = [];
    const outages = new OutagesSeen({ outage: (outage) => found.push(outage) });
    await each('events', ['event_type', 'detail'], (row, at) => takeEvent(sink, outages, row, at));
    outages.finish();
    for (const outage of found) sink.outage({ ...outage, lowestCharge: await this.#lowestCharge(outage) });
    await pause();
    return rows;
  }

  close(): Promise<void> {
    return this.#copy.close();
  }

  /** Every row of a table in the order of time. Returns their number. */
  async #each(
    table: string,
    wanted: readonly string[],
    sink: HistorySink,
    take: (row: Row, at: number) => void,
    pause: () => Promise<boolean>,
  ): Promise<number> {
    const has = this.#tables.get(table);
    if (has?.has('ts') !== true) return 0;
    const fields = wanted.map((name) => (has.has(name) ? name : `NULL AS ${name}`)).join(', ');
    // Times that are no whole numbers are reported, not skipped: they come first or last.
    const odd = await this.#copy.db.value(
      `SELECT rowid AS value FROM ${table} WHERE typeof(ts) <> 'integer' OR ts NOT BETWEEN 0 AND ${String(latest)} LIMIT 1`,
    );
    if (odd !== null) sink.problem(`${table}, row ${String(odd)}`, 'expected Unix seconds in the column ts');
    let [after, count]: [Position, number] = [{ ts: -1, row: 0 }, 0];
    for (;;) {
      const rows = await this.#copy.db.all<Row & { ts: number; row_number: number }>(
        `SELECT rowid AS row_number, ts, ${fields} FROM ${table}
         WHERE typeof(ts) = 'integer' AND ts <= ${String(latest)} AND (ts, rowid) > (?, ?)
         ORDER BY ts, rowid LIMIT ${String(rowsPerPiece)}`,
        after.ts,
        after.row,
      );
      for (const row of rows) {
        const fault = faultOf(row, wanted);
        if (fault === null) take(row, row.ts);
        else sink.problem(`${table}, row ${String(row.row_number)}`, fault);
      }
      count += rows.length;
      const last = rows.at(-1);
      if (last === undefined || !(await pause())) return count;
      after = { ts: last.ts, row: last.row_number };
    }
  }

  /** The lowest charge that the database has of the time of an outage. */
  async #lowestCharge({ started, ended }: ImportedOutage): Promise<number | null> {
    const lowestOf = async (table: string, column: string, seconds: number): Promise<number | null> => {
      if (this.#tables.get(table)?.has(column) !== true) return null;
      const low = await this.#copy.db.value(
        `SELECT min(${column}) AS value FROM ${table} WHERE ts > ? AND ts <= ?`,
        started - seconds,
        ended,
      );
      return typeof low === 'number' ? charge(String(low)) : null;
    };
    return (
      (await lowestOf('samples', 'battery_charge', 0)) ??
      (await lowestOf('agg_5min', 'battery_charge_min', 300))
    );
  }
}

const texts = ['status', 'connection_state', 'event_type', 'detail'];

/** What is wrong with a row; null when nothing is. */
function faultOf(row: Row, names: readonly string[]): string | null {
  for (const name of names) {
    const value = row[name];
    const isGood =
      value === null || (texts.includes(name) ? typeof value === 'string' : Number.isFinite(value));
    if (!isGood)
      return `${name}: expected ${texts.includes(name) ? 'text' : 'a number'}, found ${shown(value)}`;
  }
  return null;
}

/** Checked before: text, a number or null. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

function takeSample(sink: HistorySink, row: Row, at: number): void {
  // While the connection is lost the row repeats what was read before.
  if (row['connection_state'] !== null && row['connection_state'] !== 'OK') {
    sink.omitted();
    return;
  }
  const status = textOf(row['status']) ?? '';
  const isOnBattery = /\bOB\b/.test(status);
  const values: (number | null)[] = metrics.map(() => null);
  for (const [column, metric, quantity] of columns) {
    const value = quantity(textOf(row[column]));
    if (value === 0 && !isOnBattery && (metric === 'charge' || metric === 'runtime')) continue;
    values[metricOf(metric).number] = value;
  }
  if (isOnBattery) values[metricOf('depletion').number] = depletion(textOf(row['depletion_rate']));
  if (values.some((value) => value !== null)) sink.reading(at, values);
}

/** Where Eneru keeps no extremes they are the mean. */
function takeMean(sink: HistorySink, seconds: 300 | 3600, row: Row, at: number): void {
  if (at % seconds !== 0) {
    sink.problem(`agg of ${String(seconds)} s at ${String(at)}`, `expected a multiple of ${String(seconds)}`);
    return;
  }
  const readings = Math.min(Math.max(1, Math.floor(Number(row['samples_count'] ?? 1))), maxReadings);
  const rows = columns.flatMap(([column, metric, quantity]) => {
    const mean = quantity(textOf(row[`${column}_avg`]));
    if (mean === null) return [];
    const low = quantity(textOf(row[`${column}_min`])) ?? mean;
    const high = quantity(textOf(row[`${column}_max`])) ?? mean;
    return [[metricOf(metric).number, readings, mean, Math.min(low, mean), Math.max(high, mean)]];
  });
  sink.mean(seconds, at, rows);
}

function takeEvent(sink: HistorySink, outages: OutagesSeen, row: Row, at: number): void {
  const type = row['event_type'];
  if (!ImportedEventType.is(type)) {
    sink.omitted();
    return;
  }
  const detail = singleLine(textOf(row['detail']) ?? '').slice(0, maxDetail);
  sink.event(at, type, detail);
  if (type === 'ON_BATTERY') outages.begin(at, causeOf(detail));
  if (type === 'POWER_RESTORED' && at >= (outages.last ?? Infinity)) outages.end(at);
}
