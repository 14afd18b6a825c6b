// The failsafe: a UPS on battery that cannot be read is assumed to stay on battery, and fires. On line power a lost
// connection shuts nothing down.
import { reuseUnchanged } from '../base/comparison.js';
import type { PolicyClock } from '../base/clock.js';
import { unseenMs } from '../base/clock.js';
import { lost, pollTimedOut, connectionOnLine } from '../connection/connection.js';
import type { Connection } from '../connection/connection.js';
import { fireTrigger } from './fire-trigger.js';
import type { Guarded } from '../base/loss.js';
import { nothingLost, shown } from '../base/loss.js';
import { isOnBattery } from '../power/power-source.js';
import { failuresInARow, pollTimeout } from '../connection/poll-timeout.js';
import { staleWaitMs } from '../state/stale-driver.js';
import type { UpsState } from '../state/ups-state.js';
import { formatMs } from '../../../shared/domain/base/format.js';

/** Called after a failed poll and at a tick. The state is the same object if nothing changes. */
export function evaluateFailsafe(ups: UpsState, now: PolicyClock): Guarded<UpsState> {
  const { policy } = ups;
  const lastGood = ups.readings.last;
  const silent = pollTimeout(ups.lastReport, lastGood?.watchedMs ?? ups.addedWatchedMs, policy, now);
  if (silent === null && ups.connection.failedPolls === 0) return { value: ups, lost: nothingLost };
  const connection = silent === null ? ups.connection : pollTimedOut(ups.connection, silent.detail);
  const failures = failuresInARow(connection.failedPolls, silent);
  if (!isOnBattery(ups.line) || lastGood === null) {
    return withConnection(ups, connectionOnLine(connection, failures, policy, now));
  }
  const blindMs = unseenMs(lastGood.watchedMs, now);
  const staleMs = staleWaitMs({ ...ups, connection }, policy) ?? 0;
  const isSoon = blindMs < policy.triggers.failsafeMs || blindMs < staleMs;
  if (failures < policy.maxStaleDataTolerance || isSoon) {
    return withConnection(ups, connection);
  }
  const blind = withConnection(ups, lost(connection)).value;
  const duration = shown('a duration', 'too long', () => formatMs(blindMs));
  const why = `on battery and not seen for ${duration.value}: ${String(failures)} polls failed in a row (${connection.detail})`;
  return { value: fireTrigger(blind, { trigger: 'FAILSAFE', why }, now), lost: duration.lost };
}

function withConnection(ups: UpsState, connection: Connection): Guarded<UpsState> {
  return { value: reuseUnchanged(ups, { ...ups, connection }), lost: nothingLost };
}
