// Which UPSes feed this host: the one with `is_local`, or the members of the group that has it.
import type { GroupSettings } from '../../policy/base/inputs.js';
import type { Configuration, UpsConfiguration } from '../configuration/configuration.js';

export function hostGroupOf({ redundancyGroups }: Configuration): GroupSettings | undefined {
  return redundancyGroups.find(({ policy }) => policy.isLocal)?.policy;
}

export function feedsHost(configuration: Configuration, { policy }: UpsConfiguration): boolean {
  return policy.isLocal || hostGroupOf(configuration)?.members.includes(policy.groupId) === true;
}
