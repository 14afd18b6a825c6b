// The effects of what an input has changed of a UPS: commands, events and messages, what must survive a restart, its row.
import { sameBatteryTime } from '../power/battery-time.js';
import type { Exceptions } from '../base/comparison.js';
import { differs, ignored, reuseUnchanged } from '../base/comparison.js';
import type { Effect } from '../base/effects.js';
import type { Guarded, Loss } from '../base/loss.js';
import { nothingLost, shown } from '../base/loss.js';
import type { UpsSettings } from '../base/inputs.js';
import type { Line } from '../power/power-source.js';
import { isOnBattery } from '../power/power-source.js';
import { sameDoubt } from '../power/power-source-doubt.js';
import { sameShown } from '../power/value-doubt.js';
import { sameConditions } from '../power/conditions.js';
import { sameStatusReports } from '../power/status-reports.js';
import type { UpsMemory, UpsState } from '../state/ups-state.js';
import { isInOutage, newUps } from '../state/ups-state.js';
import type { PolicyClock } from '../base/clock.js';
import type { DecidedUps } from '../decision/ups.js';
import type { UpsChange } from '../view/ups-facts.js';
import { upsReports } from '../view/ups-facts.js';
import { rowOf } from '../view/view.js';
import type { Part } from './part.js';
import { commands, reported, withRow } from './part.js';

export function upsPart(
  before: UpsState,
  { seen, after, facts, lost }: DecidedUps,
  now: PolicyClock,
  tookMs = 0,
): Part<UpsState> {
  const changed =
    before === after
      ? { state: after, effects: [], lost }
      : changedPart({ before, seen, after, facts, now, tookMs }, lost);
  return withRow('the row of a UPS', changed, () => rowOf(before.policy, after, now));
}

function changedPart(change: UpsChange, lost: readonly Loss[]): Part<UpsState> {
  const { before, seen, after } = change;
  const { policy } = before;
  const { groupId } = policy;
  const events = reported(change, upsReports, policy);
  const isTransfer = before.line.kind !== 'outage' && seen.line.kind === 'outage';
  const saved = snapshotOf(before, after);
  const effects = commands(groupId, before.shutdown, after.shutdown);
  if (isTransfer && !policy.advisory) effects.push({ kind: 'prepare', groupId });
  effects.push(...events.value, ...saved.value);
  return { state: after, effects, lost: [...lost, ...events.lost, ...saved.lost] };
}

const save: readonly Effect[] = [{ kind: 'saveSnapshot', first: false }];
const saveFirst: readonly Effect[] = [{ kind: 'saveSnapshot', first: true }];

function snapshotOf(before: UpsState, after: UpsState): Guarded<readonly Effect[]> {
  if (isInOutage(before) !== isInOutage(after) || isForced(before) !== isForced(after))
    return { value: saveFirst, lost: nothingLost };
  return shown('the search for a change', save, () =>
    snapshotChanged(before, after, before.policy) ? save : [],
  );
}

const isForced = ({ fsd }: UpsMemory): boolean => fsd.kind === 'acting';

/** Whether `after` has a change that must survive a restart. */
function snapshotChanged(before: UpsState, after: UpsState, { maxStaleDataTolerance }: UpsSettings): boolean {
  // On battery every failed poll counts: with it the snapshot keeps the time of the failsafe delay.
  const max = isOnBattery(after.line) ? Infinity : maxStaleDataTolerance;
  const failures = ({ connection }: UpsMemory) => Math.min(connection.failedPolls, max);
  return failures(before) !== failures(after) || differs(before, after, fields, exceptions);
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

const fields = Object.keys(newUps(0)) as (keyof UpsMemory)[];

/** The fields of which not every change requests a snapshot; it is saved with the next one. */
const exceptions: Exceptions<UpsMemory> = {
  lastReport: ignored,
  // Failed polls are compared above.
  connection: (before, after) => before.status === after.status,
  readings: (before, after) => before.last?.source === after.last?.source && before.gauges === after.gauges,
  line: sameLine,
  batteryTime: sameBatteryTime,
  doubt: sameDoubt,
  shown: sameShown,
  conditions: sameConditions,
  reported: sameStatusReports,
  reportedQuantities: ignored,
  voltage: (before, after) => before.excursion === after.excursion,
  anomaly: ignored,
  slowPollReportedMs: ignored,
};
