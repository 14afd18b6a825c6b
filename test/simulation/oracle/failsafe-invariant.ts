// Checks how the daemon handles a UPS without readings: the failsafe on battery, the grace period on line power.
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import { upsOf } from '../../../supervisor/policy/state/state.js';
import { failsafeWait } from './stale.js';
import type { OracleContext } from './oracle-context.js';
import type { UpsMemory } from './memory.js';

/** Two ticks: only ticks detect what happens by the passing of time. */
const detectionMs = 500;

/** Watched time has the resolution of a tick: a snapshot may be from between two ticks. */
const tickMs = 250;

/** After a failed poll and after every tick. */
export function checkFailsafe(context: OracleContext, groupId: string): void {
  const known = context.ups(groupId);
  const { state } = context.world.daemon;
  const row = state === null ? undefined : upsOf(state, groupId)?.row;
  if (known === null || row === undefined) return;
  const { policy, memory } = known;
  const started = context.detail(groupId, 'SHUTDOWN_TRIGGERED');
  const isAdvised = context.detail(groupId, 'TRIGGER_ADVISORY')?.startsWith('FAILSAFE:') === true;
  const isNew = started !== null || isAdvised;
  if (isNew) {
    if (!mayFire(context, policy, memory)) {
      context.violated('the failsafe needs an outage out of sight', `${groupId}: ${started ?? 'FAILSAFE'}`);
    }
    if (started !== null && !started.startsWith('FAILSAFE:')) {
      context.violated('without a reading only the failsafe acts', `${groupId}: ${started}`);
    }
    if (started !== null && !context.isArmed(groupId)) {
      context.violated('one sequence per outage', `${groupId} starts again: ${started}`);
    }
    if (started !== null) context.fire(groupId);
    context.memory.ups.set(groupId, { ...memory, active: memory.active ?? 'FAILSAFE' });
  } else if (mustFire(context, policy, memory)) {
    if (memory.active === null && memory.upsHistory.fsd !== 'acting') {
      context.violated(
        'an outage out of sight meets the failsafe',
        `${groupId} shows "${row.triggerReason}"`,
      );
    } else if (!policy.advisory && context.isArmed(groupId)) {
      context.violated('the failsafe starts the sequence', `${groupId} has none`);
    }
  }
  checkConnectionStatus(context, policy, memory, row.connectionState);
  checkConnectionLoss(context, policy, memory, row.connectionState);
}

/** On battery: FAILED once the tolerated polls have failed, and not before. */
function checkConnectionStatus(
  context: OracleContext,
  policy: UpsSettings,
  { upsHistory }: UpsMemory,
  shown: string,
): void {
  const { groupId, maxStaleDataTolerance, pollDeadlineMs } = policy;
  const { last, failedPolls } = upsHistory;
  if (last === null || !upsHistory.onBattery) return;
  if (failedPolls >= maxStaleDataTolerance && shown !== 'FAILED') {
    context.violated('an outage out of sight is shown', `${groupId} shows ${shown}`);
  }
  const silentPolls = (context.memory.watchedMs + tickMs - last.watchedMs) / pollDeadlineMs;
  if (shown === 'FAILED' && Math.max(failedPolls, silentPolls) < maxStaleDataTolerance) {
    context.violated('FAILED needs the tolerated polls to have failed', `${groupId} is FAILED on battery`);
  }
}

/** The minimum of specification/policy.md#failsafe, whatever the daemon counts. */
function mayFire({ memory }: OracleContext, policy: UpsSettings, { upsHistory }: UpsMemory): boolean {
  const { last, failedPolls } = upsHistory;
  if (last === null || !upsHistory.onBattery) return false;
  // Only watched time counts. After a long absence the daemon watches for the complete delay.
  const silentPolls = (memory.watchedMs + tickMs - last.watchedMs) / policy.pollDeadlineMs;
  const failures = Math.max(failedPolls, silentPolls);
  const unseenMs = memory.watchedMs - Math.max(last.watchedMs, memory.certainlyWatchingSinceMs);
  const { leastMs } = failsafeWait(upsHistory, policy, memory.watchedMs);
  return unseenMs + tickMs >= leastMs && failures >= policy.maxStaleDataTolerance;
}

/** Whether it must have fired by now. */
function mustFire(context: OracleContext, policy: UpsSettings, { upsHistory }: UpsMemory): boolean {
  const { last, failedPolls, lastReportMs } = upsHistory;
  const { watchedMs, possiblyWatchingSinceMs } = context.memory;
  if (last === null || !upsHistory.onBattery) return false;
  const { mostMs } = failsafeWait(upsHistory, policy, watchedMs);
  if (watchedMs - Math.max(last.watchedMs, possiblyWatchingSinceMs) < mostMs) return false;
  if (failedPolls >= policy.maxStaleDataTolerance) return true;
  const period = Math.max(policy.checkIntervalMs, policy.pollDeadlineMs);
  const isSilent = watchedMs - lastReportMs > policy.checkIntervalMs + policy.pollDeadlineMs + detectionMs;
  return isSilent && watchedMs - last.watchedMs > policy.maxStaleDataTolerance * period + detectionMs;
}

/** On line power: the grace period starts immediately; FAILED with CONNECTION_LOST comes after it, never earlier. */
function checkConnectionLoss(
  context: OracleContext,
  policy: UpsSettings,
  { upsHistory }: UpsMemory,
  shown: string,
): void {
  const { groupId, grace } = policy;
  const { last, hardFailures } = upsHistory;
  if (context.has(groupId, 'CONNECTION_LOST') && shown !== 'FAILED') {
    context.violated('CONNECTION_LOST means FAILED', `${groupId} shows ${shown}`);
  }
  if (last === null || upsHistory.onBattery) return;
  const unseenMs = context.memory.watchedMs - last.watchedMs;
  if (shown === 'FAILED' && grace.enabled && unseenMs < grace.durationMs) {
    context.violated('the grace period', `${groupId} is FAILED after ${String(unseenMs)} ms`);
  }
  if (hardFailures > 0 && shown === 'OK') {
    context.violated('a failed poll counts', `${groupId} shows OK`);
  }
  const slackMs = policy.maxStaleDataTolerance * Math.max(policy.checkIntervalMs, policy.pollDeadlineMs);
  const lostMs = (grace.enabled ? grace.durationMs : 0) + slackMs + policy.checkIntervalMs + 1_000;
  if (unseenMs > lostMs + policy.pollDeadlineMs && shown !== 'FAILED') {
    context.violated('the grace period ends', `${groupId} shows ${shown} after ${String(unseenMs)} ms`);
  }
}
