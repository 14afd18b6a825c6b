// What the result of a probe says of its server. Pure.
import type { Instant } from '../../../shared/domain/base/instant.js';
import type { Obstacle } from '../../../shared/protocol/remote.js';
import type { Finding, Health, HealthSettings, ProbedServer, ServerHealth } from './state.js';

/**
 * Servers that a sequence has shut down get this long to boot (the default of boot_timeout) before a failure counts. So do all
 * servers when this host has just started: power has come back for them too.
 */
export const bootMs = 300_000;

/** Of a server that has not answered yet. The monotonic clock begins with the boot of this host. A name may wait for a name server that boots; a refused key does not. */
export function mayBoot({ monotonicMs }: Instant, obstacle: Obstacle | null): boolean {
  return monotonicMs < bootMs && (obstacle === null || obstacle === 'name');
}

export function healthAfter(
  { health, server }: ServerHealth,
  finding: Finding,
  { failureThreshold }: HealthSettings,
): Health {
  if (finding.ok) {
    const { latencyMs, unchecked } = finding;
    return { kind: 'HEALTHY', latencyMs, slow: latencyMs > slowLimitMs(server), unchecked };
  }
  const failures = 'failures' in health ? health.failures + 1 : 1;
  // A threshold raised by a reload does not heal a server that has failed.
  const isFailed = health.kind === 'FAILED' || failures >= failureThreshold;
  const { reason: error, obstacle } = finding;
  return { kind: isFailed ? 'FAILED' : 'DEGRADED', failures, error, obstacle };
}

/**
 * A shutdown gives the login `connect_timeout`; a server that needs more than half of it without load is at the limit.
 */
function slowLimitMs({ connectTimeoutMs }: ProbedServer): number {
  return connectTimeoutMs / 2;
}
