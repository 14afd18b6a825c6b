// Reads and writes the discharges of a battery with their curves, and compares each with those before it.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ComparedDischarge, Discharge } from '../../../shared/domain/ups/battery/capacity.js';
import {
  capacityOf,
  comparedWith,
  fallOf,
  isComparableDischarge,
  meanLoad,
} from '../../../shared/domain/ups/battery/capacity.js';
import type { CurvePoint, Recording } from '../../../shared/domain/ups/battery/discharge.js';
import { curveOf } from '../../../shared/domain/ups/battery/discharge.js';
import { comparableFactor, comparableLoad } from '../../../shared/domain/ups/battery/load.js';
import type { DischargeSummary } from '../../../shared/domain/ups/battery/runtime-estimate.js';
import { median } from '../../../shared/domain/ups/battery/trend.js';
import type { OutageCause } from '../../../shared/domain/outage/outage.js';
import type { Database, SqlValue } from '../database.js';

/** One a day for 13 years; then the oldest of the UPS goes. */
const keptPerUps = 5_000;
/** Discharges of a battery whose capacities are compared, and that are read for its estimates: two years of one a day. */
const maxRead = 730;
/** A curve of 200 points is a few kB; more is not ours. */
const maxCurveBytes = 256 * 1024;
/** More than the error of two discharges of 10 points. */
const jumpRatio = 1.25;

/** An event and the reading that led to it differ by less. */
const eventMarginMs = 10_000;

export interface OpenDischarge {
  readonly key: number | null;
  readonly series: number;
  readonly recording: Recording;
  readonly cause: OutageCause;
  /** No sample had a power that was computed from the load. */
  readonly isMeasured: boolean;
}

/** Inserts or replaces the row; `ended`: it is over. Returns its key. */
export async function saveDischarge(
  db: Database,
  ups: number,
  { key, series, recording, cause, isMeasured }: OpenDischarge,
  ended: boolean,
): Promise<number> {
  const curve = curveOf(recording);
  const charges = curve.flatMap(({ charge }) => (charge === null ? [] : [charge]));
  const { startedMs, lastMs, seconds, joules } = recording;
  const values: readonly SqlValue[] = [
    ...[ups, series, startedMs, lastMs, ended ? lastMs : null, cause, seconds, meanLoad(curve)],
    ...[charges[0] ?? null, charges.at(-1) ?? null, fallOf(curve), joules, Number(isMeasured)],
    deflateRawSync(JSON.stringify(columnsOf(curve))),
  ];
  if (key === null)
    return db.number(
      `INSERT INTO battery_discharges (ups, series, started, last, ended, cause, seconds, load, from_charge, to_charge, fall,
         joules, measured, curve) VALUES (${values.map(() => '?').join()}) RETURNING key AS value`,
      ...values,
    );
  await db.run(
    `UPDATE battery_discharges SET ups = ?, series = ?, started = ?, last = ?, ended = ?, cause = ?, seconds = ?, load = ?,
       from_charge = ?, to_charge = ?, fall = ?, joules = ?, measured = ?, curve = ? WHERE key = ?`,
    ...values,
    key,
  );
  return key;
}

export async function dropOldest(db: Database, ups: number): Promise<void> {
  await db.run(
    `DELETE FROM battery_discharges WHERE ups = $1 AND key <=
     (SELECT key FROM battery_discharges WHERE ups = $1 ORDER BY key DESC LIMIT 1 OFFSET ${String(keptPerUps)})`,
    ups,
  );
}

export async function removeDischarge(db: Database, key: number): Promise<void> {
  await db.run('DELETE FROM battery_discharges WHERE key = ?', key);
}

/** The cause by the outage that was recorded meanwhile: many devices show no word for a test. */
export async function outageCause(
  db: Database,
  ups: number,
  { recording: { startedMs, lastMs }, cause }: OpenDischarge,
): Promise<OutageCause> {
  const [row] = await db.all<{ readonly cause: OutageCause }>(
    `SELECT cause FROM outages WHERE ups = ? AND started BETWEEN ? AND ? ORDER BY key DESC LIMIT 1`,
    ...[ups, startedMs - eventMarginMs, lastMs],
  );
  return row?.cause ?? cause;
}

interface StoredDischarge {
  readonly key: number;
  readonly load: number | null;
  readonly measured: number;
  readonly capacity: number | null;
  readonly curve: Buffer;
}

const columns = 'key, load, measured, capacity, curve';

/** Compares one with those before it and stores its capacity; false: it is not comparable. */
export async function compare(db: Database, ups: number, series: number, key: number): Promise<boolean> {
  const [row] = await db.all<StoredDischarge>(`SELECT ${columns} FROM battery_discharges WHERE key = ?`, key);
  if (row === undefined) return false;
  const discharge = dischargeOf(row);
  if (!isComparableDischarge(discharge)) return false;
  const before = 'ups = ? AND series = ? AND key < ? AND capacity IS NOT NULL';
  const alike = await db.all<StoredDischarge>(
    `SELECT ${columns} FROM battery_discharges WHERE ${before} AND abs(load - ?4) <= ${String(comparableLoad)}
       AND max(load, ?4, 1) <= ${String(comparableFactor)} * max(min(load, ?4), 1)
     ORDER BY key LIMIT ${String(comparedWith)}`,
    ...[ups, series, key, discharge.load],
  );
  // At another load it is the measure of what follows, and continues from the capacity so far.
  const capacity =
    alike.length > 0
      ? capacityOf(discharge, alike.map(comparedOf))
      : (median(await capacitiesBefore(db, before, [ups, series, key])) ?? 1);
  await db.run('UPDATE battery_discharges SET capacity = ? WHERE key = ?', capacity, key);
  return true;
}

async function capacitiesBefore(
  db: Database,
  before: string,
  values: readonly SqlValue[],
): Promise<readonly number[]> {
  const rows = await db.all<{ readonly capacity: number }>(
    `SELECT capacity FROM battery_discharges WHERE ${before} ORDER BY key DESC LIMIT ${String(comparedWith)}`,
    ...values,
  );
  return rows.map(({ capacity }) => capacity);
}

/** The start (ms) of the first discharge of a new battery: the last two have far more capacity than those before. */
export async function jumpStart(db: Database, ups: number, series: number): Promise<number | null> {
  const rows = await db.all<{ readonly started: number; readonly capacity: number }>(
    `SELECT started, capacity FROM battery_discharges WHERE ups = ? AND series = ? AND capacity IS NOT NULL
     ORDER BY key DESC LIMIT 7`,
    ...[ups, series],
  );
  const [newest, second, ...before] = rows;
  const level = median(before.map(({ capacity }) => capacity));
  if (newest === undefined || second === undefined || level === null || before.length < 2) return null;
  return Math.min(newest.capacity, second.capacity) > level * jumpRatio ? second.started : null;
}

/** The discharges from `fromMs` on are those of the new battery, compared with each other. */
export async function moveDischarges(
  db: Database,
  ups: number,
  series: number,
  fromMs: number,
): Promise<void> {
  const moved = await db.all<{ readonly key: number }>(
    `UPDATE battery_discharges SET series = ?, capacity = NULL WHERE ups = ? AND started >= ? RETURNING key`,
    ...[series, ups, fromMs],
  );
  const keys = moved.map(({ key }) => key).sort((a, b) => a - b);
  for (const key of keys.slice(-maxRead)) await compare(db, ups, series, key);
}

/** Of one battery, in order. */
export async function summaries(
  db: Database,
  ups: number,
  series: number,
): Promise<readonly DischargeSummary[]> {
  const rows = await db.all<DischargeSummary>(
    `SELECT started / 1000.0 AS at, seconds, fall, load, capacity FROM battery_discharges
     WHERE ups = ? AND series = ? AND ended IS NOT NULL ORDER BY key DESC LIMIT ${String(maxRead)}`,
    ...[ups, series],
  );
  return [...rows].reverse();
}

/** The discharge that was being recorded when the worker ended. */
export async function openDischarge(db: Database, ups: number): Promise<OpenDischarge | null> {
  const [row] = await db.all<{
    key: number;
    series: number;
    started: number;
    last: number;
    cause: OutageCause;
    seconds: number;
    joules: number | null;
    measured: number;
    curve: Buffer;
  }>(
    `SELECT key, series, started, last, cause, seconds, joules, measured, curve FROM battery_discharges
     WHERE ups = ? AND ended IS NULL ORDER BY key DESC LIMIT 1`,
    ups,
  );
  if (row === undefined) return null;
  const points = curveFrom(row.curve);
  const newest = points.at(-1);
  const last =
    newest === undefined
      ? null
      : { atMs: row.last, charge: newest.charge, volts: newest.volts, load: newest.load, watts: null };
  const { started: startedMs, last: lastMs, seconds, joules } = row;
  const spacingSeconds = Math.max(1, 2 ** Math.ceil(Math.log2(Math.max(1, seconds) / 398)));
  const recording = { startedMs, lastMs, last, seconds, joules, spacingSeconds, points };
  return { key: row.key, series: row.series, recording, cause: row.cause, isMeasured: row.measured === 1 };
}

function dischargeOf({ load, measured, curve }: StoredDischarge): Discharge {
  return { load, isMeasured: measured === 1, curve: curveFrom(curve) };
}

function comparedOf(row: StoredDischarge): ComparedDischarge {
  return { ...dischargeOf(row), capacity: row.capacity ?? 1 };
}

type Columns = Readonly<Record<keyof CurvePoint, readonly (number | null)[]>>;

function columnsOf(curve: readonly CurvePoint[]): Columns {
  const column = (name: keyof CurvePoint): readonly (number | null)[] => curve.map((point) => point[name]);
  return {
    seconds: column('seconds'),
    charge: column('charge'),
    volts: column('volts'),
    load: column('load'),
    wh: column('wh'),
  };
}

function curveFrom(deflated: Buffer): readonly CurvePoint[] {
  const text = inflateRawSync(deflated, { maxOutputLength: maxCurveBytes }).toString();
  const { seconds, charge, volts, load, wh } = JSON.parse(text) as Columns;
  return seconds.map((at, place) => ({
    seconds: at ?? 0,
    charge: charge[place] ?? null,
    volts: volts[place] ?? null,
    load: load[place] ?? null,
    wh: wh[place] ?? null,
  }));
}
