// Which groups and servers the record is about, by the configuration. Pure.
import type { Configuration, RemoteServerConfiguration } from '../config/configuration/configuration.js';
import { plansOf } from '../config/derive/plans.js';
import { powersOffHost } from '../sequence/journal/fold.js';
import type { LookedTarget } from './looks.js';

export interface RecordedGroup {
  readonly group: string;
  readonly feedsHost: boolean;
  readonly servers: readonly RemoteServerConfiguration[];
}

export interface KnownServer extends LookedTarget {
  readonly name: string;
  /** False: its off check is `none`. */
  readonly isLookedAt: boolean;
}

export function recordedGroups(configuration: Configuration): readonly RecordedGroup[] {
  const { ups, redundancyGroups } = configuration;
  const powering = new Set(
    plansOf(configuration)
      .filter(powersOffHost)
      .map(({ group }) => group),
  );
  return [...ups, ...redundancyGroups].map(({ policy, resources }) => ({
    group: policy.groupId,
    feedsHost: policy.isLocal || powering.has(policy.groupId),
    servers: resources.remoteServers.filter(({ enabled }) => enabled),
  }));
}

export function knownServers(configuration: Configuration): readonly KnownServer[] {
  return recordedGroups(configuration).flatMap(({ group, servers }) =>
    servers.map(({ name, host, bootTimeoutSeconds, offCheck }) => ({
      ...{ name, server: name, host, group, isLookedAt: offCheck !== 'none' },
      bootTimeoutMs: bootTimeoutSeconds * 1000,
    })),
  );
}
