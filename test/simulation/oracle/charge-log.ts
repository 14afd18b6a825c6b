// The charges of an outage, for the rate of specification/policy.md#depletion. One growing list, shared by all diaries
// that are parts of it; a diary from before the end of the list (after a restart) continues with a list of its own.
interface Charge {
  readonly atMs: number;
  readonly percent: number;
}

/** The part of a reading that concerns it. */
export interface ChargeReading {
  readonly atMs: number;
  readonly onBattery: boolean;
  readonly chargePercent: number | null;
}

export interface ChargeLog {
  readonly list: Charge[];
  readonly length: number;
}

export const emptyLog: ChargeLog = { list: [], length: 0 };

export function logged(log: ChargeLog, { atMs, onBattery, chargePercent }: ChargeReading): ChargeLog {
  if (!onBattery || chargePercent === null) return log;
  const list = log.list.length === log.length && log.length > 0 ? log.list : log.list.slice(0, log.length);
  list.push({ atMs, percent: chargePercent });
  return { list, length: log.length + 1 };
}

/** "Those of the stabilization delay only until there are enough after it." */
export function settled(log: ChargeLog, settledMs: number, windowMs: number, intervalMs: number): ChargeLog {
  const newest = log.list[log.length - 1];
  if (newest === undefined || (log.list[0]?.atMs ?? 0) >= settledMs) return log;
  const earliestMs = Math.max(settledMs, newest.atMs - windowMs);
  const list = log.list.slice(0, log.length).filter(({ atMs }) => atMs >= earliestMs);
  return list.length >= leastReadings(windowMs, intervalMs) ? { list, length: list.length } : log;
}

function leastReadings(windowMs: number, intervalMs: number): number {
  return Math.min(30, Math.max(2, Math.floor(windowMs / intervalMs)));
}

/** "(oldest charge - newest) / minutes between them over the window", 2 decimals; null with too few readings. */
export function depletionRate(
  { list, length }: ChargeLog,
  windowMs: number,
  intervalMs: number,
): number | null {
  const newest = list[length - 1];
  if (newest === undefined) return null;
  let first = length - 1;
  for (let before = list[first - 1]; before !== undefined; before = list[first - 1]) {
    if (before.atMs < newest.atMs - windowMs) break;
    first -= 1;
  }
  const oldest = list[first];
  if (
    oldest === undefined ||
    length - first < leastReadings(windowMs, intervalMs) ||
    newest.atMs === oldest.atMs
  )
    return null;
  const minutes = (newest.atMs - oldest.atMs) / 60_000;
  return Math.round(((oldest.percent - newest.percent) / minutes) * 100) / 100;
}
