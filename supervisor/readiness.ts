// GET /ready: is monitoring seeing every UPS, and can everything that a shutdown would need be done?
import type { Plan } from '../shared/domain/plan.js';
import type { RemoteHealthRow, UpsRow } from '../shared/domain/status-model.js';
import type { ReadyModel } from '../shared/protocol/api.js';
import { needsOf, unmetNeeds } from './config/programs.js';
import type { HostDelegation } from './host-delegate.js';
import type { WorkerView } from './supervision.js';

export interface ReadinessSources {
  readonly rows: readonly UpsRow[];
  readonly plans: readonly Plan[];
  readonly workers: readonly WorkerView[];
  /** Programs the configuration needs and the machine does not have, as found when it was loaded. */
  readonly missingPrograms: readonly string[];
  readonly remoteHealth: readonly RemoteHealthRow[];
  /** Null where this host is not reached over another. */
  readonly delegation: HostDelegation | null;
}

type Capability = ReadyModel['capabilities'][number];

/**
 * Contract 4: 503 when any UPS is FAILED or UNKNOWN, or a capability is not achievable; interface.md 4.1: and without
 * usable data of a UPS, so that the grace period of one that was never read does not pass for sight.
 */
export function readiness(sources: ReadinessSources): ReadyModel {
  const { rows, plans, workers } = sources;
  const unseen = rows.flatMap(({ name, connectionState, connectionDetail, staleSince }) => {
    if (connectionState === 'FAILED' || connectionState === 'UNKNOWN')
      return [`UPS ${name} is ${connectionState} (${connectionDetail})`];
    const neverRead = connectionState === 'GRACE_PERIOD' && staleSince === null;
    return neverRead ? [`UPS ${name} has not been read yet (${connectionDetail})`] : [];
  });
  const capabilities = plans.flatMap((plan) => capabilitiesOf(plan, sources));
  const unable = capabilities
    .filter(({ achievable }) => !achievable)
    .map(({ id, reason }) => `${id}: ${reason}`);
  const reasons = [...unseen, ...unable];
  return {
    ready: reasons.length === 0,
    reasons,
    capabilities,
    workers: workers.map((worker) => ({ ...worker })),
  };
}

function capabilitiesOf(plan: Plan, sources: ReadinessSources): readonly Capability[] {
  const { missingPrograms: missing, remoteHealth, delegation } = sources;
  const local = delegation?.group === plan.group ? delegation : null;
  const steps = plan.phases.flatMap((phase) => phase.steps);
  const programs = steps
    .filter(({ action }) => needsOf(action).length > 0)
    .map(({ id, action }) => {
      const [unmet] = unmetNeeds(action, missing);
      return capability(
        `${plan.group}/${id}`,
        unmet && `the program ${unmet.anyOf.join(' or ')} is not installed or may not be run`,
      );
    });
  const servers = steps
    .filter(({ phase, action }) => phase === 'remote_servers' && action.kind === 'remote')
    .map(({ id, target }) => {
      const failed = remoteHealth.find(({ server, status }) => server === target && status === 'FAILED');
      return capability(`${plan.group}/${id}`, failed && `the server ${target} is FAILED`);
    });
  const doneHere = steps.some(({ phase }) => phase !== 'remote_servers' && phase !== 'ups_output_off');
  return [
    ...programs,
    ...servers,
    ...(local === null || !doneHere ? [] : [hostCapability(local, remoteHealth)]),
  ];
}

/** Contract 4: the host of a container is brought down over a delegate, which must be known to be well. */
function hostCapability({ group, server }: HostDelegation, health: readonly RemoteHealthRow[]): Capability {
  const id = `${group}/host_delegate`;
  if (server === null)
    return capability(
      id,
      'this daemon runs in a container, and no remote server of this group is the host_delegate that can bring its host down',
    );
  const status = health.find((row) => row.server === server)?.status ?? 'UNKNOWN';
  return capability(
    id,
    status === 'HEALTHY' ? undefined : `the host delegate ${server} is ${status}, not HEALTHY`,
  );
}

/** Achievable without a `reason` against it. */
function capability(id: string, reason: string | undefined): Capability {
  return { id, achievable: reason === undefined, reason: reason ?? '' };
}
