// Policy's settings of each UPS and group: thresholds merged, durations in ms.
import { groupIdOf } from '../../../shared/domain/ups/ups-name.js';
import type { TriggerSettings } from '../../../shared/domain/triggers/table.js';
import { triggerSettings } from '../../../shared/domain/triggers/table.js';
import type { GroupSettings, UpsSettings } from '../../policy/base/inputs.js';
import { upsNamed } from '../check/findings.js';
import type { ConfigFile, GroupEntry, UpsEntry } from '../schema/file.js';
import { withDefaults } from '../schema/key.js';
import { nutKeys } from '../schema/nut.js';
import { triggerKeys } from '../schema/triggers.js';
import { upsKeys } from '../schema/ups.js';
import { ms } from '../schema/values.js';

/** The deadline of a poll is max(2 x check_interval, 5 s), at most 10 s (specification/nut.md#polling). */
const minDeadlineMs = 5000;
const maxDeadlineMs = 10_000;

/** The part of a UPS that the configuration summary shows unchanged. */
export function identityOf(
  file: ConfigFile,
  entry: UpsEntry,
): Pick<UpsSettings, 'groupId' | 'name' | 'label' | 'isLocal' | 'transport'> {
  const ups = withDefaults(upsKeys, entry);
  return {
    groupId: groupIdOf(ups.name),
    name: ups.name,
    label: ups.display_name ?? ups.name,
    isLocal: ups.is_local,
    transport: ups.transport ?? withDefaults(nutKeys, file.nut).transport,
  };
}

/** `groups`: the names of its redundancy groups. */
export function upsPolicy(file: ConfigFile, entry: UpsEntry, groups: readonly string[]): UpsSettings {
  const ups = withDefaults(upsKeys, entry);
  const grace = ups.connection_loss_grace_period;
  const checkIntervalMs = ms(ups.check_interval);
  return {
    ...identityOf(file, entry),
    checkIntervalMs,
    pollDeadlineMs: Math.min(maxDeadlineMs, Math.max(2 * checkIntervalMs, minDeadlineMs)),
    maxStaleDataTolerance: ups.max_stale_data_tolerance,
    grace: { enabled: grace.enabled, durationMs: ms(grace.duration), flapThreshold: grace.flap_threshold },
    triggers: triggersOf(file.triggers, entry.triggers),
    trustsCharge: ups.trust === 'charge',
    holds: {
      valueMs: ups.value_hold === null ? null : ms(ups.value_hold),
      statusMs: ups.status_hold === null ? null : ms(ups.status_hold),
    },
    groups,
    advisory: groups.length > 0 && !ownsSomething(ups),
  };
}

/** Local resources stand only where `is_local` does. */
function ownsSomething({ is_local, remote_servers }: Pick<UpsEntry, 'is_local' | 'remote_servers'>): boolean {
  return is_local === true || (remote_servers ?? []).some(({ enabled }) => enabled !== false);
}

export function groupPolicy(file: ConfigFile, group: GroupEntry): GroupSettings {
  const triggers = triggersOf(file.triggers, group.triggers);
  return {
    groupId: `redundancy-${groupIdOf(group.name)}`,
    name: group.name,
    isLocal: group.is_local ?? false,
    members: group.ups_sources.map((source) => groupIdOf(upsNamed(file, source)?.name ?? source)),
    minHealthy: group.min_healthy ?? 1,
    degradedCountsAs: group.degraded_counts_as ?? 'healthy',
    unknownCountsAs: group.unknown_counts_as ?? 'critical',
    // The rate is measured per UPS: a group has no window.
    triggers: {
      ...triggers,
      depletion: { ...triggers.depletion, windowMs: triggersOf(file.triggers, undefined).depletion.windowMs },
    },
  };
}

function triggersOf(...given: readonly (object | undefined)[]): TriggerSettings {
  return triggerSettings(withDefaults(triggerKeys, ...given));
}
