// Thresholds as an operator may set them: the defaults, and values around them.
import type { TriggerSettings } from '../../../shared/domain/triggers/table.js';
import type { GroupSettings, UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import { settingsOf } from '../../../shared/domain/base/keys.js';
import { policyKeys } from '../../../supervisor/policy/base/ups-keys.js';
import { defaultTriggers } from '../../transcript/trigger-words.js';
import type { Random } from '../random.js';

const seconds = (random: Random, least: number, most: number): number => random.integer(least, most) * 1000;

/** `quick`: scaled down, so that an outage of minutes fires the triggers. */
export function triggers(random: Random, quick: boolean): TriggerSettings {
  if (!quick) return defaultTriggers;
  return {
    ...defaultTriggers,
    lowBatteryPercent: random.integer(5, 60),
    criticalRuntimeSeconds: random.integer(0, 240),
    stabilizationMs: random.pick([0, 3_000, 5_000, 10_000, 30_000, 60_000]),
    confirmations: random.pick([1, 2, 2, 2, 2, 2, 3]),
    lowBatteryFlag: random.chance(0.8),
    failsafeMs: seconds(random, 3, 30),
    voltageSensitivity: random.pick(['tight', 'normal', 'loose']),
    depletion: {
      windowMs: seconds(random, 60, 300),
      criticalRate: random.integer(4, 40),
      graceMs: seconds(random, 0, 90),
      runtimeHoldMs: 120_000,
    },
    extendedTime: { enabled: random.chance(0.6), thresholdMs: seconds(random, 30, 400) },
  };
}

/** Draws, for settings that are drawn already, how long LB waits that charge and runtime contradict, and OFF and BYPASS. */
export const withDelays = <T extends { readonly triggers: TriggerSettings }>(random: Random, of: T): T => ({
  ...of,
  triggers: {
    ...of.triggers,
    lowBatteryFlagDelayMs: random.pick([0, 5_000, 15_000, 15_000, 60_000]),
    outputOffMs: random.pick([0, 5_000, 30_000, 30_000, 30_000]),
    bypassEndMs: random.pick([0, 10_000, 60_000, 60_000]),
    depletion: { ...of.triggers.depletion, runtimeHoldMs: random.pick([0, 30_000, 120_000, 120_000]) },
  },
});

export function upsPolicy(random: Random, groupId: string, isLocal: boolean, quick: boolean): UpsSettings {
  const checkIntervalMs = random.pick([1_000, 1_000, 1_000, 1_000, 2_000, 2_000, 5_000]);
  return {
    ...settingsOf(policyKeys),
    groupId,
    name: groupId,
    label: groupId,
    isLocal,
    transport: random.pick(['network', 'tools']),
    checkIntervalMs,
    pollDeadlineMs: Math.min(10_000, Math.max(2 * checkIntervalMs, 5_000)),
    maxStaleDataTolerance: random.pick([1, 3, 3, 3, 5]),
    grace: {
      enabled: random.chance(0.8),
      durationMs: random.pick([10_000, 60_000, 60_000]),
      flapThreshold: random.integer(2, 5),
    },
    triggers: triggers(random, quick),
    groups: [],
    trustsCharge: false,
    holds: { valueMs: null, statusMs: null },
    advisory: false,
  };
}

export function groupPolicy(
  random: Random,
  members: readonly string[],
  isLocal: boolean,
  quick: boolean,
): GroupSettings {
  const name = `${members.join('')}-rack`;
  return {
    groupId: `redundancy-${name}`,
    name,
    isLocal,
    members,
    minHealthy: random.integer(1, Math.max(1, members.length - 1)),
    degradedCountsAs: random.pick(['healthy', 'healthy', 'critical']),
    unknownCountsAs: random.pick(['critical', 'critical', 'degraded', 'healthy']),
    triggers: triggers(random, quick),
  };
}
