// Which servers are down by the records: shut down and found off, or shut down by hand, and not up again. Pure.
import type { RecordedTarget, RecoveryRecord } from '../../shared/domain/recovery/record.js';
import { targetsOf } from './group-record.js';
import type { KnownServer } from './recorded-groups.js';

/** How each of them became so, in words. A server may have moved to another group: that of before is not followed any more. */
export function serversDown(
  servers: readonly KnownServer[],
  records: ReadonlyMap<string, RecoveryRecord>,
): ReadonlyMap<string, string> {
  return new Map(
    servers.flatMap(({ name, group, isLookedAt }) => {
      const known = targetsOf(records.get(group)).get(name);
      if (known === undefined) return [];
      const { command, byHandUnixSeconds, isOff } = known;
      // Only a look would end the other.
      const isByHand = byHandUnixSeconds !== null && isLookedAt;
      return isByHand || (command !== 'none' && isOff) ? [[name, howShutDown(known)] as const] : [];
    }),
  );
}

const howShutDown = ({ byHandUnixSeconds, command }: RecordedTarget): string => {
  if (byHandUnixSeconds !== null) return 'was shut down by hand';
  return command === 'given' ? 'was shut down' : 'may have been shut down, and was found off';
};
