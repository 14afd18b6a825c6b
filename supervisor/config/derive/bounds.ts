// Whether a shutdown fits into what the thresholds leave: said when the configuration is loaded, decides nothing.
import { plansOf } from './plans.js';
import type { Configuration } from '../configuration.js';

/** A warning for each plan whose bound exceeds the runtime threshold (specification/sequence.md#budgets-and-the-bound). */
export function boundWarnings(configuration: Configuration): readonly string[] {
  const policies = [...configuration.ups, ...configuration.redundancyGroups].map(({ policy }) => policy);
  return plansOf(configuration).flatMap(({ group, label, boundSeconds, estimateSeconds }) => {
    const threshold = policies.find(({ groupId }) => groupId === group)?.triggers.criticalRuntimeSeconds ?? 0;
    // 0: this trigger is off, and nothing is promised by it.
    if (threshold === 0 || boundSeconds <= threshold) return [];
    return [
      `${label}: its shutdown may take up to ${String(boundSeconds)} s (about ${String(estimateSeconds)} s when nothing hangs), ` +
        `but critical_runtime_threshold starts it with ${String(threshold)} s left: raise the threshold above the bound, or shorten timeouts`,
    ];
  });
}
