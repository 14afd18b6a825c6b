// Judges one UPS at every poll: for this reading the daemon has done what specification/policy.md#triggers requires, no
// more and no less.
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import { upsOf } from '../../../supervisor/policy/state/state.js';
import type { OracleContext } from './oracle-context.js';
import { afterFailure, afterReading, onBatteryMs, outageShown } from './ups-history.js';
import { counted, demandOf, due } from './due.js';
import { checkFailsafe } from './failsafe-invariant.js';
import type { MemberMemory, UpsMemory } from './memory.js';
import { memberKey } from './memory.js';

/** `isFalseReading`: the answer had a wrong power source. */
export function checkPoll(
  context: OracleContext,
  groupId: string,
  { outcome, startedAt: askedMs }: UpsPolled,
  isFalseReading: boolean,
): void {
  const known = context.ups(groupId);
  if (known === null) return;
  const { policy, memory } = known;
  const { watchedMs } = context.memory;
  if (outcome.kind === 'failed') {
    const upsHistory = afterFailure(memory.upsHistory, outcome.detail === 'DATA_STALE', policy, watchedMs);
    context.memory.ups.set(groupId, { ...memory, upsHistory });
    checkFailsafe(context, groupId);
    return;
  }
  if (outcome.reading.status.length === 0 || outcome.reading.status.includes('WAIT')) {
    // Not checked here: the duration of the answer, and a sequence that continues after a restart, or is cancelled by the
    // return of power that the snapshot has.
    const isCancelled = ({ source, type }: RecordedEvent): boolean =>
      type === 'SHUTDOWN_CANCELLED' && context.isPowerBack(source);
    const told = context.events.filter(
      (event) => event.type !== 'SLOW_NUT_RESPONSE' && !goesOn.test(event.type) && !isCancelled(event),
    );
    if (told.length > 0) context.violated('WAIT tells nothing', eventsOf(context));
    const upsHistory = { ...memory.upsHistory, onlyStale: 'no' as const };
    context.memory.ups.set(groupId, { ...memory, upsHistory });
    return;
  }
  const fired = context.memory.fired.get(groupId);
  const isLow = (['LOW_BATTERY', 'CRITICAL_RUNTIME', 'LOW_BATTERY_FLAG'] as const).some(
    (name) => memory.inARow[name] > 0,
  );
  const read = afterReading(
    memory.upsHistory,
    outcome.reading,
    outcome.variables,
    policy,
    { hasSequence: fired?.sequenceOver === false, isLow },
    { askedMs, atMs: context.nowMs },
    watchedMs,
  );
  const { triggers } = policy;
  const inARow = counted(memory.inARow, read, triggers);
  const demand = demandOf(read, inARow, triggers, policy.holds);
  const upsHistory = demand === null || demand === 'FSD' ? read : outageShown(read, triggers.confirmations);
  const kept = upsHistory.outageMs === null ? null : memory.active;
  const active = kept ?? (demand === 'FSD' ? null : demand);
  const falseReadings = isFalseReading ? memory.falseReadings + 1 : 0;
  const mostFalseReadings =
    upsHistory.outageMs === null ? falseReadings : Math.max(memory.mostFalseReadings, falseReadings);
  const after: UpsMemory = { upsHistory, inARow, active, falseReadings, mostFalseReadings };
  checkStart(context, groupId, policy.advisory ? null : demand);
  checkOutage(context, groupId, memory, after);
  context.memory.ups.set(groupId, after);
  checkRow(context, groupId, after);
  checkMembers(context, policy, after);
  if (upsHistory.outageMs === null && upsHistory.fsd !== 'acting') context.outageOver(groupId);
}

const goesOn = /^(SHUTDOWN_(RESUMED|PHASE_|STEP_|SEQUENCE_)|REMOTE_SHUTDOWN)/;

function checkStart(context: OracleContext, groupId: string, demand: string | null): void {
  const started = context.detail(groupId, 'SHUTDOWN_TRIGGERED');
  const isArmed = context.isArmed(groupId);
  if (started === null) {
    if (demand !== null && isArmed) {
      context.violated(
        'a trigger that is met starts the sequence',
        `${demand} of ${groupId} started nothing`,
      );
    }
    return;
  }
  if (!isArmed) context.violated('one sequence per outage', `${groupId} starts again: ${started}`);
  if (demand === null) context.violated('no trigger, no sequence', `${groupId} starts: ${started}`);
  else if (!started.startsWith(`${demand}:`)) {
    context.violated('the first trigger of the table is the reason', `${demand} is due, said was ${started}`);
  }
  context.fire(groupId);
}

function checkOutage(context: OracleContext, groupId: string, before: UpsMemory, after: UpsMemory): void {
  const was = before.upsHistory.outageMs !== null;
  const is = after.upsHistory.outageMs !== null;
  if (context.has(groupId, 'ON_BATTERY') !== (is && !was)) {
    context.violated('ON_BATTERY tells each outage once', `${groupId}: ${eventsOf(context)}`);
  }
  if (context.has(groupId, 'POWER_RESTORED') !== (was && !is)) {
    context.violated('POWER_RESTORED tells the end of each outage once', `${groupId}: ${eventsOf(context)}`);
  }
}

function checkRow(context: OracleContext, groupId: string, { upsHistory, active }: UpsMemory): void {
  const { state } = context.world.daemon;
  const row = state === null ? undefined : upsOf(state, groupId)?.row;
  if (row === undefined || upsHistory.last === null) return;
  const reason = upsHistory.fsd === 'acting' ? 'FSD' : (active ?? '');
  if (row.triggerReason !== reason || row.triggerActive !== (reason !== '')) {
    context.violated('triggerReason', `${groupId} shows "${row.triggerReason}", met is "${reason}"`);
  }
  const seconds = Math.floor(onBatteryMs(upsHistory, upsHistory.last.atMs) / 1000);
  if (row.timeOnBattery !== seconds) {
    context.violated(
      'timeOnBattery',
      `${groupId} shows ${String(row.timeOnBattery)}, not ${String(seconds)}`,
    );
  }
  if (!upsHistory.last.isSilence && (row.connectionState !== 'OK' || row.connectionDetail !== 'OK')) {
    context.violated('a good poll returns to OK', `${groupId} shows ${row.connectionState}`);
  }
  if (row.batteryCharge !== upsHistory.last.chargePercent || row.runtime !== upsHistory.last.runtimeSeconds) {
    context.violated('readings as believed', `${groupId} shows ${String(row.batteryCharge)} %`);
  }
}

/** The same reading by the thresholds of the groups of the UPS. */
function checkMembers(
  context: OracleContext,
  { groupId, holds }: UpsSettings,
  { upsHistory }: UpsMemory,
): void {
  for (const group of context.world.policies.groups) {
    if (!group.members.includes(groupId)) continue;
    const key = memberKey(group.groupId, groupId);
    const member = context.memory.members.get(key);
    if (member === undefined) continue;
    // The rate is measured per UPS: a group has its own thresholds and no window.
    const inARow = counted(member.inARow, upsHistory, group.triggers);
    const { outageMs, unknown } = upsHistory;
    const demand =
      outageMs === null && unknown === null ? null : due(inARow, upsHistory, group.triggers, holds);
    const kept = outageMs !== null || demand !== null ? member.met : null;
    const after: MemberMemory = { inARow, met: kept ?? demand };
    context.memory.members.set(key, after);
  }
}

export function eventsOf(context: OracleContext): string {
  return context.events.map(({ source, type, detail }) => `${source} ${type} (${detail})`).join('; ');
}
