// A UPS that cannot be seen. On battery that is trigger 7, the failsafe: an outage that nobody watches is assumed to go
// on. On line power it is a matter of the connection alone and shuts nothing down.
import type { PolicyClock } from './clock.js';
import { unseenMs } from './clock.js';
import { lost, silenced, unseenOnLine } from './connection.js';
import type { Connection } from './connection.js';
import { concluded } from './fire.js';
import type { Said } from './effect-collector.js';
import { isOnBattery } from './line.js';
import { failuresInARow, silence } from './poll-timeout.js';
import { tellSight } from './ups-messages.js';
import type { UpsState } from './ups-state.js';
import { spokenMs } from './wording.js';

/** After a failed poll, or at a tick. The same object comes back when there is nothing new to say of the UPS. */
export function afterBlindness(ups: UpsState, now: PolicyClock, said: Said): UpsState {
  const { policy } = ups;
  const lastGood = ups.readings.last;
  const silent = silence(ups.heard, lastGood?.watchedMs ?? ups.bornWatchedMs, policy, now);
  if (silent === null && ups.connection.failedPolls === 0) return ups;
  const connection = silent === null ? ups.connection : silenced(ups.connection, silent.detail);
  const failures = failuresInARow(connection.failedPolls, silent);
  if (!isOnBattery(ups.line) || lastGood === null) {
    return withConnection(ups, unseenOnLine(connection, failures, policy, now), said);
  }
  const blindMs = unseenMs(lastGood.watchedMs, now);
  if (failures < policy.maxStaleDataTolerance || blindMs < policy.triggers.failsafeMs) {
    return withConnection(ups, connection, said);
  }
  const blind = withConnection(ups, lost(connection), said);
  const why = `on battery and not seen for ${spokenMs(blindMs)}: ${String(failures)} polls failed in a row (${connection.detail})`;
  return concluded(ups, blind, { trigger: 'FAILSAFE', why }, now, said);
}

function withConnection(ups: UpsState, connection: Connection, said: Said): UpsState {
  if (connection === ups.connection) return ups;
  if (connection.sight.kind === 'failed' && ups.connection.sight.kind !== 'failed') {
    tellSight('lost', connection, ups.policy, said);
  }
  return { ...ups, connection };
}
