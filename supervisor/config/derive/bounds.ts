// Warns of a plan that may take longer than its threshold leaves. Used when the configuration is loaded; has no policy.
import { withoutWaits } from '../../policy/plan/waits.js';
import { plansOf } from './plans.js';
import type { Configuration } from '../configuration/configuration.js';

/** upsmon's HOSTSYNC, unless its upsmon.conf has another. */
const usualHostsyncSeconds = 15;

/** A primary cuts the power of this host after its own time, whatever the plan still does. */
export function secondaryWarnings(configuration: Configuration): readonly string[] {
  return plansOf(configuration).flatMap(({ label, boundSeconds, fedBy }) => {
    const upses = configuration.ups
      .filter(({ policy, role }) => role === 'secondary' && fedBy.includes(policy.groupId))
      .map(({ policy }) => policy.name);
    if (upses.length === 0 || boundSeconds <= usualHostsyncSeconds) return [];
    return [
      `${label}: its shutdown may take up to ${String(boundSeconds)} s, and after FSD the primary of ${upses.join(', ')} waits for this host ` +
        `only its own HOSTSYNC (${String(usualHostsyncSeconds)} s by default): set HOSTSYNC above the bound in its upsmon.conf`,
    ];
  });
}

/** A warning for each plan whose bound exceeds the runtime threshold (specification/sequence.md#budgets-and-the-bound). */
export function boundWarnings(configuration: Configuration): readonly string[] {
  const policies = [...configuration.ups, ...configuration.redundancyGroups].map(({ policy }) => policy);
  return plansOf(configuration).flatMap((plan) => {
    const { group, label, boundSeconds, estimateSeconds } = plan;
    const threshold = policies.find(({ groupId }) => groupId === group)?.triggers.criticalRuntimeSeconds ?? 0;
    // 0: the trigger is off.
    if (threshold === 0 || boundSeconds <= threshold) return [];
    const bareSeconds = withoutWaits(plan).boundSeconds;
    const bare =
      bareSeconds === boundSeconds
        ? ''
        : `, ${String(bareSeconds)} s of it without the waits for servers to be off`;
    const remedy =
      bareSeconds <= threshold
        ? 'a wait ends early when the battery needs it; for whole waits raise the threshold above the bound, or shorten halt_timeout'
        : 'raise the threshold above the bound, or shorten timeouts';
    return [
      `${label}: its shutdown may take up to ${String(boundSeconds)} s${bare} (about ${String(estimateSeconds)} s when nothing hangs), ` +
        `but critical_runtime_threshold starts it with ${String(threshold)} s left: ${remedy}`,
    ];
  });
}
