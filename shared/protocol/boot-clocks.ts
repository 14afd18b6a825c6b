// Whether the dates of a boot may be wrong, for what writes and what reads the history (specification/storage.md#clocks).

/** A clock that was set by less is as good as one that was not. */
const setClockMs = 60_000;

/** A clock that stood earlier was never set: this program is younger. Unix ms. */
const earliestMs = Date.UTC(2020, 0, 1);

/** SQL: the wall clock of the boot with this id was set by more than a minute, or has never had a date that can be right. */
export function inDoubtSql(id: string): string {
  return `EXISTS (SELECT 1 FROM boots b WHERE b.id = ${id}
    AND (b.high - b.low > ${String(setClockMs)} OR b.high < ${String(earliestMs)}))`;
}

/** SQL: the s by which the clock was set after the event `e`, where that is more than a minute; else null. */
export const eventSetSql = `(SELECT CAST(round((b.last - e.ts * 1000 + e.boot_ms) / 1000.0) AS INTEGER)
  FROM runs r JOIN boots b ON b.id = r.boot_id
  WHERE r.key = e.run AND abs(b.last - e.ts * 1000 + e.boot_ms) > ${String(setClockMs)})`;
