// The connection of a UPS whose failed poll or tick policy has lost. On line power its grace period runs, as it would: a member
// whose last reading only grew old would take the quorum of its group. On battery the reserve has the failsafe. Pure.
import type { Connection } from '../policy/connection/connection.js';
import type { PolicyClock } from '../policy/base/clock.js';
import type { UpsState } from '../policy/state/ups-state.js';

export function afterLostFailure(ups: UpsState, detail: Connection['detail'], clock: PolicyClock): UpsState {
  const { connection } = ups;
  const onlyStale = connection.onlyStale && detail === 'DATA_STALE';
  const failedPolls = connection.failedPolls + 1;
  const failed = { ...connection, detail, failedPolls, onlyStale };
  const known: UpsState = { ...ups, lastReport: { watchedMs: clock.watchedMs, waiting: false } };
  return unseen(known, failed, failedPolls, clock);
}

/** A tick: the poller or the driver tells nothing. */
export function afterLostSilence(ups: UpsState, clock: PolicyClock): UpsState {
  const { connection, lastReport, readings, addedWatchedMs } = ups;
  const { checkIntervalMs, pollDeadlineMs } = ups.policy;
  const { failedPolls } = connection;
  if (clock.watchedMs - lastReport.watchedMs <= checkIntervalMs + pollDeadlineMs)
    return failedPolls === 0 ? ups : unseen(ups, connection, failedPolls, clock);
  const silence = lastReport.waiting ? 'DATA_STALE' : 'TIMEOUT';
  const detail = failedPolls > 0 ? connection.detail : silence;
  const blindMs = clock.watchedMs - (readings.last?.watchedMs ?? addedWatchedMs);
  const missedPolls = Math.floor(blindMs / Math.max(checkIntervalMs, pollDeadlineMs));
  const silent = { ...connection, detail, onlyStale: false };
  return unseen(ups, silent, Math.max(failedPolls, missedPolls), clock);
}

function unseen(ups: UpsState, connection: Connection, failures: number, clock: PolicyClock): UpsState {
  const { grace, maxStaleDataTolerance } = ups.policy;
  const { status, detail } = connection;
  const isEarly = status.kind === 'ok' && failures < (detail === 'DATA_STALE' ? maxStaleDataTolerance : 1);
  const isOnBattery = ups.line.kind === 'outage' && ups.line.onBattery;
  if (isOnBattery || status.kind === 'unknown' || isEarly) return { ...ups, connection };
  const sinceWatchedMs = status.kind === 'grace' ? status.sinceWatchedMs : clock.watchedMs;
  const isOver =
    !grace.enabled || status.kind === 'failed' || clock.watchedMs - sinceWatchedMs >= grace.durationMs;
  return {
    ...ups,
    connection: { ...connection, status: isOver ? { kind: 'failed' } : { kind: 'grace', sinceWatchedMs } },
  };
}
