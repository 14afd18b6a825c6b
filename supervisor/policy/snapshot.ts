// Saves and restores the part of the state that survives a restart on the same boot. The supervisor checks the boot.
import type { Decoded } from '../../shared/domain/base/decode.js';
import { decode } from '../../shared/domain/base/decode.js';
import type { Instant } from '../../shared/domain/base/instant.js';
import type { GroupSnapshot, UpsSnapshot } from '../../shared/domain/outage/outage-snapshot.js';
import { OutageSnapshot, snapshotVersion } from '../../shared/domain/outage/outage-snapshot.js';
import type { SequenceCause } from '../../shared/domain/status/states.js';
import { variablesOfDriver } from '../../shared/domain/triggers/hold.js';
import { resumed } from './base/clock.js';
import { configured } from './configure.js';
import type { GroupState } from './state/group-state.js';
import type { PolicySettings } from './base/inputs.js';
import type { PolicyState } from './state/state.js';
import type { UpsMemory, UpsState } from './state/ups-state.js';

/** Everything that decisions depend on, as plain data. */
export function snapshotOf(state: PolicyState): OutageSnapshot {
  return {
    version: snapshotVersion,
    clock: state.clock,
    ups: state.ups.map(upsSnapshot),
    groups: state.groups.map(groupSnapshot),
    evaluatedMs: state.evaluatedMs,
  };
}

/**
 * The state of `snapshot` at the moment `at` of the same boot, under the current settings. The time between is not
 * watched; monotonic clocks went on.
 */
export function restored(snapshot: unknown, settings: PolicySettings, at: Instant): Decoded<PolicyState> {
  const decoded = decode(OutageSnapshot, snapshot);
  if (!decoded.ok) return decoded;
  const { clock, ups, groups, evaluatedMs } = decoded.value;
  if (clock.monotonicMs > at.monotonicMs) {
    // The machine was restored to an earlier state: by that clock the outage would be far too old.
    const message = 'it was taken at a time that is still to come, by another clock than that of this boot';
    return { ok: false, problems: [{ path: 'clock', message }] };
  }
  const knownUps = new Map(ups.map((kept) => [kept.groupId, upsMemory(kept)]));
  const knownGroups = new Map(groups.map((kept) => [kept.groupId, kept]));
  const value = configured(settings, resumed(clock, at), {
    ups: (groupId) => knownUps.get(groupId),
    group: (groupId) => knownGroups.get(groupId),
    evaluatedMs,
  });
  return { ok: true, value };
}

export interface FiredGroup {
  readonly group: string;
  readonly trigger: SequenceCause;
  readonly why: string;
  /** When it was requested: identifies the outage. */
  readonly sinceUnixSeconds: number;
}

/** The groups whose sequence was requested and has not ended, as far as this state knows. */
export function openSequences(state: PolicyState): readonly FiredGroup[] {
  const open: FiredGroup[] = [];
  for (const all of [state.ups, state.groups]) {
    for (const { policy, shutdown } of all) {
      if (shutdown.kind !== 'fired' || shutdown.sequenceOver) continue;
      const { trigger, why, sinceUnixSeconds } = shutdown;
      open.push({ group: policy.groupId, trigger, why, sinceUnixSeconds });
    }
  }
  return open;
}

/** Field by field: it runs for every UPS at every commit, and object rest syntax takes ten times as long. */
function upsSnapshot(ups: UpsState): UpsSnapshot {
  const { last, variables, gauges } = ups.readings;
  return {
    groupId: ups.policy.groupId,
    addedWatchedMs: ups.addedWatchedMs,
    lastReport: ups.lastReport,
    connection: ups.connection,
    readings: { last, variables: variablesOfDriver(variables), gauges },
    line: ups.line,
    batteryTime: ups.batteryTime,
    fsd: ups.fsd,
    inhibits: ups.inhibits,
    depletion: ups.depletion,
    transfer: ups.transfer,
    doubt: ups.doubt,
    shown: ups.shown,
    confirmed: ups.confirmed,
    met: ups.met,
    conditions: ups.conditions,
    reported: ups.reported,
    reportedQuantities: ups.reportedQuantities,
    estimate: ups.estimate,
    voltage: ups.voltage,
    phaseLoss: ups.phaseLoss,
    anomaly: ups.anomaly,
    slowPollReportedMs: ups.slowPollReportedMs,
    shutdown: ups.shutdown,
  };
}

function upsMemory({ groupId: _, readings, ...memory }: UpsSnapshot): UpsMemory {
  return { ...memory, readings: { ...readings, shownWords: readings.last?.reading.status ?? [] } };
}

function groupSnapshot({ policy, members, quorum, shutdown }: GroupState): GroupSnapshot {
  return { groupId: policy.groupId, members, quorum, shutdown };
}
