// Reads and writes the days of a battery.
import type { FullDay, Nominal } from '../../../shared/domain/ups/battery/full-runtime.js';
import { ratioOf, typicalOf } from '../../../shared/domain/ups/battery/full-runtime.js';
import type { FullReading } from '../../../shared/domain/ups/battery/full-runtime.js';
import { readDays as oldestDays } from '../../../shared/domain/ups/battery/assessment.js';
import type { Database } from '../database.js';

/** A day with fewer full readings, ten minutes apart, is not typical. */
const minReadings = 3;

interface Day {
  readonly ups: number;
  readonly day: number;
  readonly series: number;
  readonly readings: readonly FullReading[];
  readonly nominal: Nominal | null;
}

/** Adds the readings of a day; after a restart the part of the day with more readings stays. */
export async function saveDay(db: Database, { ups, day, series, readings, nominal }: Day): Promise<void> {
  const typical = readings.length < minReadings ? null : typicalOf(readings);
  if (typical === null) return;
  const ratio = nominal === null ? null : ratioOf(typical, nominal);
  await db.run(
    `INSERT INTO battery_days (ups, day, series, readings, load, runtime, ratio) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET series = excluded.series, readings = excluded.readings, load = excluded.load,
       runtime = excluded.runtime, ratio = excluded.ratio WHERE excluded.readings >= readings`,
    ...[ups, day, series, readings.length, typical.load, typical.runtime, ratio],
  );
}

export async function saveScore(
  db: Database,
  { ups, day, series }: Pick<Day, 'ups' | 'day' | 'series'>,
  score: number | null,
): Promise<void> {
  await db.run(
    `INSERT INTO battery_days (ups, day, series, score) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET series = excluded.series, score = excluded.score
     WHERE score IS NOT excluded.score OR series <> excluded.series`,
    ...[ups, day, series, score],
  );
}

/** The full days of the last year up to `today`, in order. */
export function readDays(
  db: Database,
  ups: number,
  series: number,
  today: number,
): Promise<readonly FullDay[]> {
  return db.all<FullDay>(
    `SELECT day, load, runtime, ratio FROM battery_days
     WHERE ups = ? AND day BETWEEN ? AND ? AND series = ? AND runtime IS NOT NULL ORDER BY day`,
    ...[ups, today - oldestDays, today, series],
  );
}

export async function setRatios(
  db: Database,
  ups: number,
  days: readonly FullDay[],
  nominal: Nominal,
): Promise<void> {
  const rows = days.map((day) => [day.day, ratioOf(day, nominal)]);
  await db.run(
    `UPDATE battery_days SET ratio = row.value ->> 1 FROM json_each(?) AS row WHERE ups = ? AND day = row.value ->> 0`,
    JSON.stringify(rows),
    ups,
  );
}

/** The days from `day` on are those of the new battery; what was read `today` may be of the old one. */
export async function moveDays(
  db: Database,
  ups: number,
  series: number,
  day: number,
  today: number,
): Promise<void> {
  await db.run(
    `UPDATE battery_days SET series = ?1, ratio = NULL, readings = iif(day = ?3, 0, readings),
       runtime = iif(day = ?3, NULL, runtime) WHERE ups = ?2 AND day >= ?4`,
    ...[series, ups, today, day],
  );
}
