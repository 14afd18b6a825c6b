// Whether ticks have nothing to decide soon: every UPS is read, on line power, and no shutdown is under way.
import type { GroupState } from '../state/group-state.js';
import type { PolicyState } from '../state/state.js';
import { groupOf, upsOf } from '../state/state.js';
import type { UpsState } from '../state/ups-state.js';
import { isPowerStable } from '../state/ups-state.js';

export function isQuiet({ ups, groups, clock }: PolicyState): boolean {
  return groups.every(isQuietGroup) && ups.every((state) => isQuietUps(state, clock.watchedMs));
}

/** The same for one UPS or group; true for one that is not configured. */
export function isQuietAt(state: PolicyState, groupId: string): boolean {
  const ups = upsOf(state, groupId);
  if (ups !== undefined) return isQuietUps(ups, state.clock.watchedMs);
  const group = groupOf(state, groupId);
  return group === undefined || isQuietGroup(group);
}

function isQuietUps(ups: UpsState, watchedMs: number): boolean {
  const { connection, readings, shutdown, lastReport, policy } = ups;
  return (
    connection.status.kind === 'ok' &&
    connection.detail === 'OK' &&
    readings.last?.source === 'line' &&
    isPowerStable(ups) &&
    shutdown.kind === 'armed' &&
    // Well before its silence counts as a failed poll (poll-timeout.ts).
    watchedMs - lastReport.watchedMs <= policy.checkIntervalMs + policy.pollDeadlineMs / 2
  );
}

function isQuietGroup({ quorum, shutdown }: GroupState): boolean {
  return quorum.kind === 'held' && shutdown.kind === 'armed';
}
