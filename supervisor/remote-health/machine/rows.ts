// Rows of the remote servers (specification/api-resources.md#remote-health-rows): short for the status, full for
// GET /api/v1/remote-health.
import type { RemoteHealthRow, RemoteHealthShort } from '../../../shared/domain/status/status-model.js';
import type { Configuration } from '../../config/configuration/configuration.js';
import { healthSettings } from './settings.js';
import type { HealthState, ServerHealth } from './state.js';
import { nothingProbed } from './state.js';
import { step } from './step.js';

export function rowOf({ server, health, lastCheckedAt, lastSuccessAt }: ServerHealth): RemoteHealthRow {
  const { name, host, user, group, groupKind } = server;
  const failing = 'failures' in health;
  return {
    server: name,
    host,
    user,
    group,
    groupKind,
    status: health.kind,
    lastCheckedAt,
    lastSuccessAt,
    lastError: failing ? health.error : null,
    latencyMs: health.kind === 'HEALTHY' ? Math.round(health.latencyMs) : null,
    consecutiveFailures: failing ? health.failures : 0,
  };
}

/** The short row embedded in the status of the group. It does not change when a probe repeats the last result. */
function shortRowOf({ server, health }: ServerHealth): RemoteHealthShort {
  const failing = 'failures' in health;
  return {
    server: server.name,
    host: server.host,
    status: health.kind,
    consecutiveFailures: failing ? health.failures : 0,
    lastError: failing ? health.error : null,
  };
}

/** The short rows of every group that has any, by groupId. */
export function shortRowsOf({ servers }: HealthState): ReadonlyMap<string, readonly RemoteHealthShort[]> {
  const rows = new Map<string, RemoteHealthShort[]>();
  for (const one of servers)
    rows.set(one.server.group, [...(rows.get(one.server.group) ?? []), shortRowOf(one)]);
  return rows;
}

/** The full rows before any probe: UNKNOWN, or DISABLED for servers that are never probed. */
export function unprobedRows(configuration: Configuration): readonly RemoteHealthRow[] {
  const at = { monotonicMs: 0, unixSeconds: 0 };
  const settings = healthSettings(configuration, { servers: [], probeCommand: '', works: [] }, '');
  return step(nothingProbed, { kind: 'configured', at, settings }).state.servers.map(rowOf);
}
