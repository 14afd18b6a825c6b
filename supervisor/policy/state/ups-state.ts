// The state of one UPS: one field per state machine, in the order in which a reading passes them.
import type { RuntimeEstimate } from '../../../shared/domain/ups/battery/health.js';
import type { RemainingRuntime } from '../../../shared/domain/ups/battery/runtime-estimate.js';
import { remainingRuntime } from '../../../shared/domain/ups/battery/runtime-estimate.js';
import { isVerdict, selfTestResultOf } from '../../../shared/domain/ups/self-test.js';
import type { Holds } from '../../../shared/domain/triggers/hold.js';
import { holdsOf } from '../../../shared/domain/triggers/hold.js';
import type { UpsRow, ValueInDoubt } from '../../../shared/domain/status/status-model.js';
import type { Facts } from '../../../shared/domain/triggers/trigger.js';
import type { Anomaly } from '../power/anomaly.js';
import { noAnomaly } from '../power/anomaly.js';
import type { BatteryTime } from '../power/battery-time.js';
import { batteryTimeMs, noBatteryTime } from '../power/battery-time.js';
import type { Conditions } from '../power/conditions.js';
import { noConditions } from '../power/conditions.js';
import type { Connection } from '../connection/connection.js';
import { neverPolled } from '../connection/connection.js';
import type { Depletion } from '../power/depletion-rate.js';
import { noDoubt } from '../../../shared/domain/outage/outage-snapshot.js';
import { coarseRateMs, noDepletion } from '../power/depletion-rate.js';
import type { Fsd } from '../trigger/fsd-latch.js';
import { unseenFsd } from '../trigger/fsd-latch.js';
import type { Inhibits } from '../trigger/inhibits.js';
import { noInhibits } from '../trigger/inhibits.js';
import type { UpsSettings } from '../base/inputs.js';
import type { Doubt } from '../power/power-source-doubt.js';
import type { Line } from '../power/power-source.js';
import { countsAsBattery, isUnknownSource, onBatteryMs, unseenLine } from '../power/power-source.js';
import type { PhaseLoss } from '../power/phase-loss.js';
import { noPhaseLoss } from '../power/phase-loss.js';
import type { AcceptedReading, Readings } from '../power/readings.js';
import { noReadings, shownForMs } from '../power/readings.js';
import type { ReportedQuantities } from '../power/reported-quantities.js';
import { noReportedQuantities } from '../power/reported-quantities.js';
import type { Shutdown } from '../trigger/shutdown.js';
import type { StatusReports } from '../power/status-reports.js';
import { noStatusReports } from '../power/status-reports.js';
import { armed } from '../trigger/shutdown.js';
import type { ValueCourse, ShownValues } from '../power/value-doubt.js';
import { doubtOf, isInDoubt, nothingShown } from '../power/value-doubt.js';
import type { LastReport } from '../connection/poll-timeout.js';
import type { Transfer } from '../power/transfer.js';
import { noTransfer } from '../power/transfer.js';
import type { Confirmed, LatchedTrigger } from '../trigger/trigger-confirmations.js';
import { nothingConfirmed } from '../trigger/trigger-confirmations.js';
import type { Voltage } from '../power/voltage.js';
import { noVoltage } from '../power/voltage.js';

/** What must survive a restart in an outage. Plain data. */
export interface UpsMemory {
  /** Watched time at which this UPS was added: silence before the first reading counts from here. */
  readonly addedWatchedMs: number;
  readonly lastReport: LastReport;
  readonly connection: Connection;
  readonly readings: Readings;
  readonly line: Line;
  readonly batteryTime: BatteryTime;
  readonly fsd: Fsd;
  readonly inhibits: Inhibits;
  readonly depletion: Depletion;
  readonly transfer: Transfer;
  readonly doubt: Doubt;
  readonly shown: ShownValues;
  readonly confirmed: Confirmed;
  /** The trigger met in this outage; FSD has its own latch. */
  readonly met: LatchedTrigger | null;
  readonly conditions: Conditions;
  readonly reported: StatusReports;
  readonly reportedQuantities: ReportedQuantities;
  /** How long the battery lasts when full, from its discharges; null while unknown. */
  readonly estimate: RuntimeEstimate | null;
  readonly voltage: Voltage;
  readonly phaseLoss: PhaseLoss;
  readonly anomaly: Anomaly;
  /** When a slow server was last reported (monotonic ms). */
  readonly slowPollReportedMs: number | null;
  readonly shutdown: Shutdown;
}

export interface UpsState extends UpsMemory {
  readonly policy: UpsSettings;
  /** The row as displayed; kept, so that an unchanged row is not published. */
  readonly row: UpsRow;
}

export function newUps(watchedMs: number): UpsMemory {
  return {
    addedWatchedMs: watchedMs,
    lastReport: { watchedMs, waiting: false },
    connection: neverPolled,
    readings: noReadings,
    line: unseenLine,
    batteryTime: noBatteryTime,
    fsd: unseenFsd,
    inhibits: noInhibits,
    depletion: noDepletion,
    transfer: noTransfer,
    doubt: noDoubt,
    shown: nothingShown,
    confirmed: nothingConfirmed,
    met: null,
    conditions: noConditions,
    reported: noStatusReports,
    reportedQuantities: noReportedQuantities,
    estimate: null,
    voltage: noVoltage,
    phaseLoss: noPhaseLoss,
    anomaly: noAnomaly,
    slowPollReportedMs: null,
    shutdown: armed,
  };
}

/**
 * The facts of the last good reading for the triggers; null where it does not count as OB, unless OL with OB or a contradicted OL does.
 * Delays count until it was asked for: what it shows may be as old, however late it is handled.
 */
export function factsOf(ups: UpsState): Facts | null {
  const { last } = ups.readings;
  if (last !== null && countsAsBattery(ups.line, last.source)) return factsAt(ups, last.askedMs);
  if (last === null) return null;
  const since = (source: Facts['source'], sinceMs: number) => ({
    ...factsAt(ups, last.askedMs),
    source,
    onBatteryMs: Math.max(0, last.askedMs - sinceMs),
  });
  if (ups.line.kind === 'unknown' && isUnknownSource(ups.line, last.source))
    return since('unknown', ups.line.sinceMs);
  const { acts, sinceMs } = ups.doubt;
  return last.source === 'line' && acts && sinceMs !== null ? since('contradicted', sinceMs) : null;
}

/** The last good reading with the charge and the runtime of the last one that had them. */
export function withValuesLastRead(ups: UpsState): UpsState {
  const { readings, shown } = ups;
  if (readings.last === null) return ups;
  const values = { chargePercent: shown.charge.value, runtimeSeconds: shown.runtime.value };
  const last = { ...readings.last, reading: { ...readings.last.reading, ...values } };
  return { ...ups, readings: { ...readings, last } };
}

/** The last good reading counts as OB. */
export function isReadOnBattery({ readings: { last }, line }: UpsMemory): boolean {
  return last !== null && countsAsBattery(line, last.source);
}

/** An outage, or line power that is contradicted on a UPS with `trust = "charge"`. */
export function isInOutage({ line, doubt }: UpsMemory): boolean {
  return line.kind === 'outage' || doubt.acts;
}

/** The daemon's own estimate at the load of the last reading and the last charge that is not in doubt; null without one. */
export function remainingOf(ups: UpsMemory, policy: UpsSettings): RemainingRuntime | null {
  const { estimate, readings } = ups;
  const reading = readings.last?.reading;
  if (estimate === null || reading === undefined || reading.chargePercent === null) return null;
  const { charge } = ups.shown;
  const { valueMs } = holdsOfUps(ups, policy);
  const percent = isInDoubt(charge, policy.triggers.lowBatteryPercent, valueMs)
    ? charge.before
    : reading.chargePercent;
  return percent === null ? null : remainingRuntime(estimate, percent, reading.loadPercent);
}

/** By what the last answer of the server shows, and the thresholds of the UPS itself. */
export function holdsOfUps(
  { readings }: Pick<UpsMemory, 'readings'>,
  { holds, triggers }: UpsSettings,
): Holds {
  return holdsOf(readings.variables, holds, triggers.criticalRuntimeSeconds);
}

type Shown = Pick<UpsMemory, 'readings' | 'shown'>;

/** Neither value came in a jump: so it is at nearly every reading. */
const isBeyondDoubt = ({ charge, runtime }: UpsMemory['shown']): boolean =>
  charge.sinceMs === null && runtime.sinceMs === null;

/** Charge and runtime of the last reading, as far as they are in doubt by the thresholds of the UPS, with the longest wait. */
export function valuesInDoubt(ups: Shown, policy: UpsSettings): readonly ValueInDoubt[] {
  const { last } = ups.readings;
  if (last === null || isBeyondDoubt(ups.shown)) return [];
  const { lowBatteryPercent, criticalRuntimeSeconds } = policy.triggers;
  const { valueMs } = holdsOfUps(ups, policy);
  const isHeld = (course: ValueCourse, read: number | null, threshold: number) =>
    read !== null && isInDoubt(course, threshold, valueMs);
  const { charge, runtime } = ups.shown;
  const { chargePercent, runtimeSeconds } = last.reading;
  const seconds = valueMs / 1000;
  return [
    ...(isHeld(charge, chargePercent, lowBatteryPercent) ? [{ value: 'charge' as const, seconds }] : []),
    ...(isHeld(runtime, runtimeSeconds, criticalRuntimeSeconds)
      ? [{ value: 'runtime' as const, seconds }]
      : []),
  ];
}

/** The last reading without the values in doubt: what is measured, kept and reported has only confirmed ones. */
export function undoubtedReading(
  last: AcceptedReading,
  { readings, shown }: Shown,
  policy: UpsSettings,
): AcceptedReading {
  const doubts = valuesInDoubt({ shown, readings: { ...readings, last } }, policy);
  if (doubts.length === 0) return last;
  const isDoubted = (name: ValueInDoubt['value']) => doubts.some(({ value }) => value === name);
  const { reading } = last;
  const chargePercent = isDoubted('charge') ? null : reading.chargePercent;
  const runtimeSeconds = isDoubted('runtime') ? null : reading.runtimeSeconds;
  return { ...last, reading: { ...reading, chargePercent, runtimeSeconds } };
}

/** The facts of the last reading of any kind, with the time on battery at `nowMs`. For explanations only. */
export function factsAt(ups: UpsState, nowMs: number): Facts {
  const { shown } = ups;
  const { last } = ups.readings;
  const chargePercent = last?.reading.chargePercent ?? null;
  return {
    chargePercent,
    runtimeSeconds: last?.reading.runtimeSeconds ?? null,
    estimate: remainingOf(ups, ups.policy),
    depletionRate: !isReadOnBattery(ups) || chargePercent === null ? null : ups.depletion.rate,
    coarseRateMs: last === null ? null : coarseRateMs(ups.depletion, last.askedMs),
    onBatteryMs: onBatteryMs(ups.line, nowMs),
    batteryTimeMs: batteryTimeMs(ups.batteryTime, nowMs),
    source: 'battery',
    lowBatteryFlag: last?.reading.status.includes('LB') ?? false,
    offMs: shownForMs(last, ups.conditions.offSinceMs),
    lowBatteryFlagMs: shownForMs(last, shown.flagSinceMs) ?? 0,
    chargeDoubt: doubtOf(shown.charge),
    runtimeDoubt: doubtOf(shown.runtime),
    holdSettings: ups.policy.holds,
    isBatterySuspect:
      last?.reading.status.includes('RB') === true ||
      isBatteryDoubtful(ups.readings.variables['ups.test.result'] ?? ''),
    atTransfer: ups.transfer,
    variables: ups.readings.variables,
    checkIntervalMs: ups.policy.checkIntervalMs,
  };
}

/** The last test failed, or ended with a warning. */
function isBatteryDoubtful(testResult: string): boolean {
  const result = selfTestResultOf(testResult);
  return isVerdict(result) && result !== 'PASSED';
}

/** The trigger displayed as active: FSD before all others (specification/policy.md#active-trigger). */
export function activeTrigger(ups: UpsMemory): LatchedTrigger | null {
  if (ups.fsd.kind !== 'acting') return ups.met;
  return {
    trigger: 'FSD',
    why: 'the UPS demands a forced shutdown (FSD)',
    sinceUnixSeconds: ups.fsd.sinceUnixSeconds,
  };
}

/** No outage and no acting FSD: no reason for a sequence is left. */
export function isPowerStable(ups: UpsMemory): boolean {
  return !isInOutage(ups) && ups.fsd.kind !== 'acting';
}
