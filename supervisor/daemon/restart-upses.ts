// What the rule of a restart in place of a power-off must know of each UPS, by its last reading: no request, no wait. Pure.
import type { Plan } from '../../shared/domain/outage/plan.js';
import type { UpsConfiguration } from '../config/configuration/configuration.js';
import type { PolicyState } from '../policy/state/state.js';
import { upsOf } from '../policy/state/state.js';
import { isReadOnBattery } from '../policy/state/ups-state.js';
import type { RestartUps } from '../sequence/restart-rule.js';

/** `plans`: those that power this host off. */
export function restartUpses(
  state: PolicyState,
  configured: readonly UpsConfiguration[],
  plans: readonly Pick<Plan, 'group' | 'fedBy'>[],
): readonly RestartUps[] {
  const hostGroups = new Map<string, string[]>();
  for (const { group, fedBy } of plans)
    for (const ups of fedBy) hostGroups.set(ups, [...(hostGroups.get(ups) ?? []), group]);
  return configured.map(({ policy: { groupId, label }, role, output }) => {
    const ups = upsOf(state, groupId);
    const last = ups?.readings.last ?? null;
    const fsd = ups?.fsd.kind;
    return {
      ...{ groupId, label, hasRole: role !== null, hostGroups: hostGroups.get(groupId) ?? [] },
      // By the last poll: the status of the connection does not change on battery until the failsafe.
      isRead: ups?.connection.detail === 'OK',
      // Also as policy has it: a UPS that is not read any more had it in its last good reading.
      showsFsd: last?.reading.status.includes('FSD') === true || fsd === 'acting' || fsd === 'own',
      showsBattery: ups !== undefined && isReadOnBattery(ups),
      cyclesOnMains: output?.cyclesOnMains === true,
    };
  });
}
