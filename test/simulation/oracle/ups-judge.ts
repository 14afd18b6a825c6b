// Judges one UPS at every poll: for this reading the daemon has done what specification/policy.md#triggers requires, no
// more and no less.
import type { PollOutcome, UpsPolicy } from '../../../supervisor/policy/inputs.js';
import { upsOf } from '../../../supervisor/policy/state.js';
import type { Checker } from './court.js';
import { afterFailure, afterReading } from './diary.js';
import { counted, demandOf, due } from './due.js';
import { judgeBlindness } from './blindness.js';
import type { MemberMemory, UpsMemory } from './memory.js';
import { memberKey } from './memory.js';

/** `isLie`: the answer told another source of power than the true one. */
export function judgePoll(court: Checker, groupId: string, outcome: PollOutcome, isLie: boolean): void {
  const known = court.ups(groupId);
  if (known === null) return;
  const { policy, memory } = known;
  const { watchedMs } = court.memory;
  if (outcome.kind === 'failed') {
    const diary = afterFailure(memory.diary, outcome.detail === 'DATA_STALE', watchedMs);
    court.memory.ups.set(groupId, { ...memory, diary });
    judgeBlindness(court, groupId);
    return;
  }
  if (outcome.reading.status.length === 0 || outcome.reading.status.includes('WAIT')) {
    // How long the answer took is another matter, and so is a sequence that goes on after a restart.
    const told = court.events.filter(({ type }) => type !== 'SLOW_NUT_RESPONSE' && !goesOn.test(type));
    if (told.length > 0) court.violated('WAIT tells nothing', eventsOf(court));
    return;
  }
  const diary = afterReading(memory.diary, outcome.reading, policy, court.nowMs, watchedMs);
  const inARow = counted(memory.inARow, diary, policy.triggers, policy.checkIntervalMs);
  const demand = demandOf(diary, inARow, policy.triggers);
  const kept = diary.outageMs === null ? null : memory.active;
  const active = kept ?? (demand === 'FSD' ? null : demand);
  const lies = isLie ? memory.lies + 1 : 0;
  const mostLies = diary.outageMs === null ? lies : Math.max(memory.mostLies, lies);
  const after: UpsMemory = { diary, inARow, active, lies, mostLies };
  judgeStart(court, groupId, policy.advisory ? null : demand);
  judgeOutage(court, groupId, memory, after);
  court.memory.ups.set(groupId, after);
  judgeRow(court, groupId, after);
  judgeMembers(court, policy, after);
  if (diary.outageMs === null && diary.fsd !== 'acting') court.outageOver(groupId);
}

const goesOn = /^(SHUTDOWN_(RESUMED|PHASE_|STEP_|SEQUENCE_)|REMOTE_SHUTDOWN)/;

function judgeStart(court: Checker, groupId: string, demand: string | null): void {
  const started = court.detail(groupId, 'SHUTDOWN_TRIGGERED');
  const isArmed = court.isArmed(groupId);
  if (started === null) {
    if (demand !== null && isArmed) {
      court.violated('a trigger that is met starts the sequence', `${demand} of ${groupId} started nothing`);
    }
    return;
  }
  if (!isArmed) court.violated('one sequence per outage', `${groupId} starts again: ${started}`);
  if (demand === null) court.violated('no trigger, no sequence', `${groupId} starts: ${started}`);
  else if (!started.startsWith(`${demand}:`)) {
    court.violated('the first trigger of the table is the reason', `${demand} is due, said was ${started}`);
  }
  court.fire(groupId);
}

function judgeOutage(court: Checker, groupId: string, before: UpsMemory, after: UpsMemory): void {
  const was = before.diary.outageMs !== null;
  const is = after.diary.outageMs !== null;
  if (court.has(groupId, 'ON_BATTERY') !== (is && !was)) {
    court.violated('ON_BATTERY tells each outage once', `${groupId}: ${eventsOf(court)}`);
  }
  if (court.has(groupId, 'POWER_RESTORED') !== (was && !is)) {
    court.violated('POWER_RESTORED tells the end of each outage once', `${groupId}: ${eventsOf(court)}`);
  }
}

function judgeRow(court: Checker, groupId: string, { diary, active }: UpsMemory): void {
  const { state } = court.world.daemon;
  const row = state === null ? undefined : upsOf(state, groupId)?.row;
  if (row === undefined || diary.last === null) return;
  const reason = diary.fsd === 'acting' ? 'FSD' : (active ?? '');
  if (row.triggerReason !== reason || row.triggerActive !== (reason !== '')) {
    court.violated('triggerReason', `${groupId} shows "${row.triggerReason}", met is "${reason}"`);
  }
  const seconds = diary.outageMs === null ? 0 : Math.floor((diary.last.atMs - diary.outageMs) / 1000);
  if (row.timeOnBattery !== seconds) {
    court.violated('timeOnBattery', `${groupId} shows ${String(row.timeOnBattery)}, not ${String(seconds)}`);
  }
  if (row.connectionState !== 'OK' || row.connectionDetail !== 'OK') {
    court.violated('a good poll returns to OK', `${groupId} shows ${row.connectionState}`);
  }
  if (row.batteryCharge !== diary.last.chargePercent || row.runtime !== diary.last.runtimeSeconds) {
    court.violated('readings as believed', `${groupId} shows ${String(row.batteryCharge)} %`);
  }
}

/** The same reading by the thresholds of the groups that the UPS is a member of. */
function judgeMembers(
  court: Checker,
  { groupId, checkIntervalMs, triggers }: UpsPolicy,
  { diary }: UpsMemory,
): void {
  const { windowMs } = triggers.depletion;
  for (const group of court.world.policies.groups) {
    const key = memberKey(group.groupId, groupId);
    const member = court.memory.members.get(key);
    if (member === undefined) continue;
    // The rate is measured per UPS: a group has thresholds of its own and no window.
    const depletion = { ...group.triggers.depletion, windowMs };
    const settings = { ...group.triggers, depletion };
    const inARow = counted(member.inARow, diary, settings, checkIntervalMs);
    const demand = diary.outageMs === null ? null : due(inARow, diary, settings);
    const after: MemberMemory = { inARow, met: diary.outageMs === null ? null : (member.met ?? demand) };
    court.memory.members.set(key, after);
  }
}

export function eventsOf(court: Checker): string {
  return court.events.map(({ source, type, detail }) => `${source} ${type} (${detail})`).join('; ');
}
