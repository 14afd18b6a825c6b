// What the rule of a restart in place of a power-off must know of each UPS, by its last reading: no request, no wait. Pure.
import type { UpsConfiguration } from '../config/configuration/configuration.js';
import type { PolicyState } from '../policy/state/state.js';
import { upsOf } from '../policy/state/state.js';
import { isReadOnBattery } from '../policy/state/ups-state.js';
import type { RestartUps } from '../sequence/restart-rule.js';

/** `feeding`: those of groups whose plans power this host off. */
export function restartUpses(
  state: PolicyState,
  configured: readonly UpsConfiguration[],
  feeding: ReadonlySet<string>,
): readonly RestartUps[] {
  return configured.map(({ policy: { groupId, label }, role, output }) => {
    const ups = upsOf(state, groupId);
    const last = ups?.readings.last ?? null;
    const fsd = ups?.fsd.kind;
    return {
      ...{ groupId, label, hasRole: role !== null, feedsHost: feeding.has(groupId) },
      // By the last poll: the status of the connection does not change on battery until the failsafe.
      isRead: ups?.connection.detail === 'OK',
      // Also as policy has it: a UPS that is not read any more had it in its last good reading.
      showsFsd: last?.reading.status.includes('FSD') === true || fsd === 'acting' || fsd === 'own',
      showsBattery: ups !== undefined && isReadOnBattery(ups),
      cyclesOnMains: output?.cyclesOnMains === true,
    };
  });
}
