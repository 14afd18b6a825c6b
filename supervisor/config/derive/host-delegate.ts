// In a container: over which server the host itself is brought down.
import type { Configuration } from '../configuration.js';

export interface HostDelegation {
  /** groupId of the local group. */
  readonly group: string;
  /** Name of the server marked `host_delegate`; null where none is. */
  readonly server: string | null;
}

/** Null outside of a container, and where no group powers this host. */
export function hostDelegation({ inContainer, ups, redundancyGroups }: Configuration): HostDelegation | null {
  const local = inContainer ? [...ups, ...redundancyGroups].find(({ policy }) => policy.isLocal) : undefined;
  if (local === undefined) return null;
  const delegate = local.resources.remoteServers.find(({ enabled, hostDelegate }) => enabled && hostDelegate);
  return { group: local.policy.groupId, server: delegate?.name ?? null };
}
