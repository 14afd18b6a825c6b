// The failsafe: a UPS on battery that cannot be read is assumed to stay on battery, and fires. On line power a lost
// connection shuts nothing down.
import type { PolicyClock } from '../base/clock.js';
import { unseenMs } from '../base/clock.js';
import { lost, pollTimedOut, connectionOnLine } from '../connection/connection.js';
import type { Connection } from '../connection/connection.js';
import { fireTrigger } from './fire-trigger.js';
import type { EffectCollector } from '../base/effect-collector.js';
import { isOnBattery } from '../power/power-source.js';
import { failuresInARow, pollTimeout } from '../connection/poll-timeout.js';
import { staleWaitMs } from '../state/stale-driver.js';
import { reportConnectionChange } from '../view/ups-messages.js';
import type { UpsState } from '../state/ups-state.js';
import { formatMs } from '../../../shared/domain/base/format.js';

/** Called after a failed poll and at a tick. Returns the same object if nothing changes. */
export function evaluateFailsafe(ups: UpsState, now: PolicyClock, effects: EffectCollector): UpsState {
  const { policy } = ups;
  const lastGood = ups.readings.last;
  const silent = pollTimeout(ups.lastReport, lastGood?.watchedMs ?? ups.addedWatchedMs, policy, now);
  if (silent === null && ups.connection.failedPolls === 0) return ups;
  const connection = silent === null ? ups.connection : pollTimedOut(ups.connection, silent.detail);
  const failures = failuresInARow(connection.failedPolls, silent);
  if (!isOnBattery(ups.line) || lastGood === null) {
    return withConnection(ups, connectionOnLine(connection, failures, policy, now), effects);
  }
  const blindMs = unseenMs(lastGood.watchedMs, now);
  const staleMs = staleWaitMs({ ...ups, connection }, policy) ?? 0;
  const isSoon = blindMs < policy.triggers.failsafeMs || blindMs < staleMs;
  if (failures < policy.maxStaleDataTolerance || isSoon) {
    return withConnection(ups, connection, effects);
  }
  const blind = withConnection(ups, lost(connection), effects);
  const why = `on battery and not seen for ${effects.shown('a duration', 'too long', () => formatMs(blindMs))}: ${String(failures)} polls failed in a row (${connection.detail})`;
  return fireTrigger(ups, blind, { trigger: 'FAILSAFE', why }, now, effects);
}

function withConnection(ups: UpsState, connection: Connection, effects: EffectCollector): UpsState {
  if (connection === ups.connection) return ups;
  if (connection.sight.kind === 'failed' && ups.connection.sight.kind !== 'failed') {
    effects.report('the report of a lost connection', () =>
      reportConnectionChange('lost', connection, ups.policy, effects),
    );
  }
  return { ...ups, connection };
}
