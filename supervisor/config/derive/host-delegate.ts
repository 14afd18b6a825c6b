// In a container: the server through which the host is shut down.
import type { Configuration } from '../configuration/configuration.js';

export interface HostDelegation {
  /** groupId of the local group. */
  readonly group: string;
  /** Name of the server with `host_delegate`; null when there is none. */
  readonly server: string | null;
}

/** Null outside a container, and when no group powers this host. */
export function hostDelegation({ inContainer, ups, redundancyGroups }: Configuration): HostDelegation | null {
  const local = inContainer ? [...ups, ...redundancyGroups].find(({ policy }) => policy.isLocal) : undefined;
  if (local === undefined) return null;
  const delegate = local.resources.remoteServers.find(({ enabled, hostDelegate }) => enabled && hostDelegate);
  return { group: local.policy.groupId, server: delegate?.name ?? null };
}
