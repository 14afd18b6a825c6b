// What of a UPS has changed in an input: its row is published, and what must survive a restart is saved.
import type { PolicyClock } from '../base/clock.js';
import { sameBatteryTime } from '../power/battery-time.js';
import type { Comparison } from '../base/comparison.js';
import { identical, ignored, reuseUnchanged, same } from '../base/comparison.js';
import type { EffectCollector } from '../base/effect-collector.js';
import type { UpsSettings } from '../base/inputs.js';
import type { Line } from '../power/power-source.js';
import { isOnBattery } from '../power/power-source.js';
import { sameDoubt } from '../power/power-source-doubt.js';
import { sameShown } from '../power/value-doubt.js';
import { sameConditions } from '../power/conditions.js';
import { sameStatusReports } from '../power/status-reports.js';
import type { UpsMemory, UpsState } from '../state/ups-state.js';
import { isInOutage } from '../state/ups-state.js';
import { rowOf, sameRow } from '../view/view.js';

/** Updates the row; publishes it, and requests a snapshot, only after a change. */
export function withRow(
  before: UpsState,
  after: UpsState,
  now: PolicyClock,
  effects: EffectCollector,
): UpsState {
  const { policy } = before;
  if (isInOutage(before) !== isInOutage(after) || isForced(before) !== isForced(after))
    effects.requestSnapshotFirst();
  else if (effects.shown('the search for a change', true, () => snapshotChanged(before, after, policy)))
    effects.requestSnapshot();
  const row = effects.shown('the row of a UPS', before.row, () => {
    const shown = rowOf(policy, after, now);
    return sameRow(shown, before.row) ? before.row : shown;
  });
  if (row === before.row) return after;
  effects.rowChanged(policy.groupId);
  return { ...after, row };
}

const isForced = ({ fsd }: UpsMemory): boolean => fsd.kind === 'acting';

/** Whether `after` has a change that must survive a restart. */
function snapshotChanged(
  before: UpsMemory,
  after: UpsMemory,
  { maxStaleDataTolerance }: UpsSettings,
): boolean {
  // On battery every failed poll counts: with it the snapshot keeps the time of the failsafe delay.
  const max = isOnBattery(after.line) ? Infinity : maxStaleDataTolerance;
  const failures = ({ connection }: UpsMemory) => Math.min(connection.failedPolls, max);
  return failures(before) !== failures(after) || !same(comparison, before, after);
}

/** Whether a snapshot of one serves for the other: another OB requests none, nor does a runtime that follows the load. */
function sameLine(a: Line, b: Line): boolean {
  const before = keptOf(a);
  return reuseUnchanged(before, keptOf(b)) === before;
}

function keptOf(line: Line): object {
  if (line.kind === 'outage') return { ...line, obReadings: null };
  if (line.kind !== 'unknown') return line;
  const { charge, chargeReadings, runtimeSinceMs } = line.fall;
  const [first, last] = [charge.now[0]?.fellMs, charge.now.at(-1)?.value];
  return { kind: line.kind, sinceMs: line.sinceMs, first, last, chargeReadings, runtimeSinceMs };
}

/** Which changes request a snapshot; ignored fields are saved with the next one. */
const comparison: Comparison<UpsMemory> = {
  addedWatchedMs: ignored,
  lastReport: ignored,
  // Failed polls are compared above.
  connection: (before, after) => before.sight === after.sight,
  readings: (before, after) => before.last?.source === after.last?.source && before.gauges === after.gauges,
  line: sameLine,
  batteryTime: sameBatteryTime,
  fsd: identical,
  inhibits: identical,
  transfer: identical,
  doubt: sameDoubt,
  shown: sameShown,
  depletion: identical,
  confirmed: identical,
  met: identical,
  conditions: sameConditions,
  reported: sameStatusReports,
  reportedQuantities: ignored,
  estimate: identical,
  voltage: (before, after) => before.excursion === after.excursion,
  phaseLoss: identical,
  anomaly: ignored,
  slowPollReportedMs: ignored,
  shutdown: identical,
};
