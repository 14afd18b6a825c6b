// What the machine of remote health, and the worker that probes for it, are told of a configuration.
import type { RemoteWork } from '../../shared/domain/plan.js';
import type { ProberSlice } from '../../shared/protocol/prober.js';
import type { Configuration, RemoteServerConfiguration } from '../config/configuration/configuration.js';
import { plansOf } from '../config/derive/plans.js';
import { remoteSlice } from '../workers/worker-settings.js';
import type { HealthSettings, ProbedServer } from './state.js';

/** Nothing of it while remote_health.enabled is false: then nobody is logged in to. */
export function proberSlice(configuration: Configuration): ProberSlice {
  const { enabled, probeCommand, checkPrivileges } = configuration.remoteHealth;
  return {
    servers: enabled ? remoteSlice(configuration).servers : [],
    probeCommand,
    works: enabled && checkPrivileges ? [...worksOf(configuration).values()] : [],
  };
}

export function healthSettings(configuration: Configuration, seed: string): HealthSettings {
  const { enabled, startupCheck, intervalMs, failureThreshold, notifyOnFailure, notifyOnRecovery } =
    configuration.remoteHealth;
  const { servers: accesses, works, probeCommand } = proberSlice(configuration);
  const ways = new Map(
    accesses.map((access) => {
      const work = works.find(({ server }) => server === access.server) ?? null;
      return [access.server, JSON.stringify([access, probeCommand, work])];
    }),
  );
  const probed = (
    server: RemoteServerConfiguration,
    group: string,
    groupKind: ProbedServer['groupKind'],
  ): ProbedServer => ({
    name: server.name,
    host: server.host,
    user: server.user,
    group,
    groupKind,
    probed: enabled && server.enabled,
    place: `${server.user}@${server.host}:${String(server.port)}`,
    way: ways.get(server.name) ?? '',
    connectTimeoutMs: server.connectTimeoutSeconds * 1000,
  });
  return {
    servers: [
      ...configuration.ups.flatMap(({ policy, resources }) =>
        resources.remoteServers.map((server) => probed(server, policy.groupId, 'ups')),
      ),
      ...configuration.redundancyGroups.flatMap(({ policy, resources }) =>
        resources.remoteServers.map((server) => probed(server, policy.groupId, 'redundancy')),
      ),
    ],
    startupCheck,
    intervalMs,
    failureThreshold,
    notifyOnFailure,
    notifyOnRecovery,
    seed,
  };
}

/** All that shutdowns would do on each server, put together: a delegate has work in several phases. */
function worksOf(configuration: Configuration): ReadonlyMap<string, RemoteWork> {
  const works = new Map<string, RemoteWork>();
  const steps = plansOf(configuration).flatMap(({ phases }) => phases.flatMap((phase) => phase.steps));
  for (const { action } of steps) {
    if (action.kind !== 'remote' && action.kind !== 'poweroffDelegate') continue;
    const { work } = action;
    const before = works.get(work.server);
    const texts = new Set(before?.actions.map((one) => JSON.stringify(one)));
    const fresh = work.actions.filter((one) => !texts.has(JSON.stringify(one)));
    works.set(work.server, {
      ...work,
      actions: [...(before?.actions ?? []), ...fresh],
      final: before?.final ?? work.final,
    });
  }
  return works;
}
