// Policy's settings of each UPS and group, with the thresholds merged: keys of [[ups]] as the file has them (policy/base/ups-keys.ts),
// and those that have another form in policy, as `value_hold` in `holds.valueMs`, which shared/domain/triggers/hold.ts reads.
import { settingsOf } from '../../../shared/domain/base/keys.js';
import { groupIdOf } from '../../../shared/domain/ups/ups-name.js';
import type { TriggerSettings } from '../../../shared/domain/triggers/table.js';
import { triggerKeys, triggerSettings } from '../../../shared/domain/triggers/table.js';
import type { GroupSettings, UpsSettings } from '../../policy/base/inputs.js';
import { policyKeys } from '../../policy/base/ups-keys.js';
import { upsNamed } from '../check/findings.js';
import type { ConfigFile, GroupEntry, UpsEntry } from '../schema/file.js';
import { nutKeys } from '../schema/nut.js';
import { redundancyGroupKeys } from '../schema/redundancy-group.js';
import { upsKeys } from '../schema/ups.js';

/** The deadline of a poll is max(2 x check_interval, 5 s), at most 10 s (specification/nut.md#polling). */
const minDeadlineMs = 5000;
const maxDeadlineMs = 10_000;

/** `groups`: the names of its redundancy groups. */
export function upsPolicy(file: ConfigFile, entry: UpsEntry, groups: readonly string[]): UpsSettings {
  const { triggers: _, remoteServers, ...ups } = settingsOf(upsKeys, entry);
  const { checkIntervalMs } = ups;
  // Local resources stand only where `is_local` does.
  const ownsSomething = ups.isLocal || remoteServers.some(({ enabled }) => enabled);
  return {
    ...settingsOf(policyKeys, entry),
    groupId: groupIdOf(ups.name),
    name: ups.name,
    label: ups.displayName ?? ups.name,
    transport: ups.transport ?? file.nut?.transport ?? nutKeys.transport.fallback,
    pollDeadlineMs: Math.min(maxDeadlineMs, Math.max(2 * checkIntervalMs, minDeadlineMs)),
    grace: ups.connectionLossGracePeriod,
    triggers: triggersOf(file.triggers, entry.triggers),
    trustsCharge: ups.trust === 'charge',
    holds: { valueMs: ups.valueHoldMs, statusMs: ups.statusHoldMs },
    groups,
    advisory: groups.length > 0 && !ownsSomething,
  };
}

export function groupPolicy(file: ConfigFile, entry: GroupEntry): GroupSettings {
  const { name, isLocal, minHealthy, degradedCountsAs, unknownCountsAs } = settingsOf(
    redundancyGroupKeys,
    entry,
  );
  const triggers = triggersOf(file.triggers, entry.triggers);
  return {
    groupId: `redundancy-${groupIdOf(name)}`,
    name,
    isLocal,
    members: entry.ups_sources.map((source) => groupIdOf(upsNamed(file, source)?.name ?? source)),
    minHealthy,
    degradedCountsAs,
    unknownCountsAs,
    // The rate is measured per UPS: a group has no window.
    triggers: {
      ...triggers,
      depletion: { ...triggers.depletion, windowMs: triggersOf(file.triggers).depletion.windowMs },
    },
  };
}

function triggersOf(...given: readonly (object | undefined)[]): TriggerSettings {
  return triggerSettings(settingsOf(triggerKeys, ...given));
}
