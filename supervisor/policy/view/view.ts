// Builds the rows of the status read model from policy (specification/api-resources.md#ups-row). The supervisor adds
// remote health, battery health and self test.
import type { ConnectionState } from '../../../shared/domain/status/states.js';
import { phaseRows } from '../../../shared/domain/status/phases.js';
import type { PowerQuality, RedundancyRow, UpsRow } from '../../../shared/domain/status/status-model.js';
import type { PolicyClock } from '../base/clock.js';
import { connectionState } from '../connection/connection.js';
import type { UpsSettings } from '../base/inputs.js';
import { lostPhases } from '../power/phase-loss.js';
import { isOnBattery, onBatteryMs } from '../power/power-source.js';
import { unknownSourceText } from './status-words.js';
import { failuresInARow, pollTimeout } from '../connection/poll-timeout.js';
import type { PolicyState } from '../state/state.js';
import { groupOf, upsOf } from '../state/state.js';
import type { UpsMemory } from '../state/ups-state.js';
import { staleWaitMs } from '../state/stale-driver.js';
import { alarmText } from '../power/status-reports.js';
import { triggersWithoutData } from '../power/reported-quantities.js';
import { activeTrigger, remainingOf, valuesInDoubt } from '../state/ups-state.js';
import type { Sensitivity } from '../power/voltage.js';
import { bandOf } from '../power/voltage.js';

/** Filled in by the read model. */
const noTargets: UpsRow['shutsDown'] = { host: false, servers: [] };
const noHealth: UpsRow['remoteHealth'] = [];

/** The row of a configured UPS. */
export function upsRow(state: PolicyState, groupId: string): UpsRow {
  const ups = upsOf(state, groupId);
  if (ups === undefined) throw new Error(`no UPS is configured as ${groupId}`);
  return ups.row;
}

/** The row of a configured redundancy group. */
export function redundancyRow(state: PolicyState, groupId: string): RedundancyRow {
  const group = groupOf(state, groupId);
  if (group === undefined) throw new Error(`no redundancy group is configured as ${groupId}`);
  return group.row;
}

export function rowOf(policy: UpsSettings, ups: UpsMemory, now: PolicyClock): UpsRow {
  const state = shownConnection(policy, ups, now);
  const reading = ups.readings.last?.reading;
  const active = activeTrigger(ups);
  const lost = lostPhases(ups.phaseLoss);
  return {
    name: policy.name,
    label: policy.label,
    groupId: policy.groupId,
    isLocal: policy.isLocal,
    status: ups.readings.shownWords.join(' '),
    alarm: alarmText(ups.readings.shownWords, ups.readings.variables),
    batteryCharge: reading?.chargePercent ?? null,
    runtime: reading?.runtimeSeconds ?? null,
    load: reading?.loadPercent ?? null,
    depletionRate: ups.line.kind === 'outage' ? ups.depletion.rate : 0,
    timeOnBattery: Math.floor(onBatteryMs(ups.line, now.monotonicMs) / 1000),
    powerQuality: powerQualityOf(ups, policy.triggers.voltageSensitivity, lost.length > 0),
    phases: phaseRows(ups.readings.variables, lost),
    connectionState: state,
    triggerActive: active !== null,
    triggerReason: active?.trigger ?? '',
    contradiction: ups.line.kind === 'unknown' ? unknownSourceText : ups.doubt.why,
    valuesInDoubt: valuesInDoubt(ups, policy),
    staleWait: staleWait(policy, ups),
    unavailableTriggers: triggersWithoutData(ups, policy.triggers).map(({ name }) => name),
    runtimeEstimate: remainingOf(ups, policy),
    staleSince: state === 'OK' ? null : (ups.readings.last?.unixSeconds ?? null),
    realPower: reading?.realPowerWatts ?? null,
    transport: policy.transport,
    connectionDetail: ups.connection.detail,
    shutsDown: noTargets,
    remoteHealth: noHealth,
    batteryHealth: null,
    selfTest: null,
  };
}

/** What the failsafe waits beyond its delay; null while it does not. */
function staleWait(policy: UpsSettings, ups: UpsMemory): number | null {
  const waitMs = staleWaitMs(ups, policy) ?? 0;
  return waitMs > policy.triggers.failsafeMs ? Math.floor(waitMs / 1000) : null;
}

/**
 * On battery FAILED is displayed as soon as the tolerated polls have failed, so that old readings do not look current.
 * Only for display and /ready: decisions use `ups.connection`, which waits, so that a server that restarts in an outage
 * shuts nothing down.
 */
function shownConnection(policy: UpsSettings, ups: UpsMemory, now: PolicyClock): ConnectionState {
  const { connection, lastReport, line, readings } = ups;
  if (readings.last === null || !isOnBattery(line)) return connectionState(connection);
  const silent = pollTimeout(lastReport, readings.last.watchedMs, policy, now);
  const failures = failuresInARow(connection.failedPolls, silent);
  return failures < policy.maxStaleDataTolerance ? connectionState(connection) : 'FAILED';
}

function powerQualityOf(ups: UpsMemory, sensitivity: Sensitivity, hasLostPhase: boolean): PowerQuality {
  const { readings, conditions, voltage } = ups;
  const band = voltage.nominalVolts === null ? null : bandOf(voltage.nominalVolts, sensitivity);
  const isOutOfBand = voltage.state === 'LOW' || voltage.state === 'HIGH';
  const raw = (name: string) => readings.variables[name] ?? '';
  return {
    inputVoltage: raw('input.voltage'),
    outputVoltage: raw('output.voltage'),
    batteryVoltage: raw('battery.voltage'),
    temperature: readings.variables['ups.temperature'] ?? raw('battery.temperature'),
    inputFrequency: raw('input.frequency'),
    outputFrequency: raw('output.frequency'),
    voltageState: hasLostPhase && !isOutOfBand ? 'PHASE_LOST' : voltage.state,
    avrState: conditions.avr,
    bypassState: conditions.bypass,
    overloadState: conditions.overload,
    nominalVoltage: voltage.nominalVolts,
    warningLow: band?.low ?? null,
    warningHigh: band?.high ?? null,
  };
}
