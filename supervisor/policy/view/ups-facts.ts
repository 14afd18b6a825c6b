// What has changed of a UPS in one input, as the facts of events.
import { isFlagContradicted } from '../../../shared/domain/triggers/low-battery-flag.js';
import { batteryTriggerNamed } from '../../../shared/domain/triggers/table.js';
import { triggersWithoutData } from '../power/reported-quantities.js';
import { alarmText, statusReports } from '../power/status-reports.js';
import type { StatusReport } from '../power/status-reports.js';
import type { PolicyClock } from '../base/clock.js';
import type { Connection } from '../connection/connection.js';
import { isFreshOutage, onBatteryMs } from '../power/power-source.js';
import { batteryTestKind, inhibitedBy } from '../trigger/inhibits.js';
import { fsdRequest } from '../trigger/fsd-latch.js';
import { startedBy } from '../trigger/shutdown.js';
import type { UpsState } from '../state/ups-state.js';
import { factsOf } from '../state/ups-state.js';
import type { Course } from './event-words.js';
import type { Fact, Report } from './events.js';
import { policyEvents } from './events.js';
import type { FlagWait } from './power-words.js';

/** What an input has changed. */
export interface UpsChange extends Course {
  /** What the states do not show. */
  readonly facts: readonly Fact[];
}

const none: readonly Fact[] = [];
const noBattery = { chargePercent: null, runtimeSeconds: null };

function slowPollFacts({ before, after, tookMs }: UpsChange): readonly Fact[] {
  return before.slowPollReportedMs === after.slowPollReportedMs
    ? none
    : [{ type: 'SLOW_NUT_RESPONSE', tookMs }];
}

export function connectionFacts(before: Connection, after: Connection): readonly Fact[] {
  if (before === after) return none;
  const facts: Fact[] = [];
  const [wasLost, isLost] = [before.status.kind === 'failed', after.status.kind === 'failed'];
  if (isLost && !wasLost) facts.push({ type: 'CONNECTION_LOST', by: after.detail });
  if (wasLost && !isLost) facts.push({ type: 'CONNECTION_RESTORED' });
  if (after.flaps.reported && !before.flaps.reported) facts.push({ type: 'CONNECTION_FLAPPING' });
  return facts;
}

function transferFacts(before: UpsState, after: UpsState, now: PolicyClock): readonly Fact[] {
  const [from, to] = [before.line, after.line];
  if (from.kind === to.kind) return none;
  const nowMs = askedClock(after, now).monotonicMs;
  const battery = after.readings.last?.reading ?? noBattery;
  if (to.kind === 'outage') {
    const { startedMs, beganMs } = to.clock;
    const agoMs = nowMs - (beganMs ?? startedMs);
    const earlier = startedMs < nowMs ? { agoMs, isByValues: from.kind === 'unknown' } : null;
    const test = batteryTestKind(after.inhibits);
    const without = triggersWithoutData(after, after.policy.triggers).map(({ name }) => name);
    return [{ type: 'ON_BATTERY', battery, test, without, earlier }];
  }
  if (from.kind !== 'outage') return none;
  const { startedMs, beganMs } = from.clock;
  const withinMs = beganMs !== null && startedMs > beganMs ? nowMs - beganMs : null;
  const source = after.readings.last?.source;
  const shown = source === 'bypass' || source === 'neither' ? source : 'line';
  const by = to.kind === 'unknown' ? 'values' : shown;
  return [{ type: 'POWER_RESTORED', battery, lastedMs: onBatteryMs(from, nowMs), withinMs, by }];
}

function forcedShutdownFacts({ before, seen }: UpsChange): readonly Fact[] {
  const facts: Fact[] = [];
  const { kind } = seen.fsd;
  const isBack = before.line.kind === 'outage' && seen.line.kind === 'mains';
  if (isBack && kind !== 'latched' && seen.readings.shownWords.includes('FSD'))
    facts.push({ type: 'FSD_LATCHED', isStale: false, isOwn: kind === 'own' });
  if (kind === before.fsd.kind) return facts;
  if (kind === 'latched') facts.push({ type: 'FSD_LATCHED', isStale: true, isOwn: false });
  if (kind === 'acting') facts.push({ type: 'FSD_DETECTED' });
  return facts;
}

/** When the last reading was asked for: the times of an outage are those of requests. */
function askedClock({ readings }: UpsState, now: PolicyClock): PolicyClock {
  return { ...now, monotonicMs: readings.last?.askedMs ?? now.monotonicMs };
}

const avrEvents = { BOOST: 'AVR_BOOST_ACTIVE', TRIM: 'AVR_TRIM_ACTIVE', INACTIVE: 'AVR_INACTIVE' } as const;

function conditionFacts({ before, seen, after, now }: UpsChange): readonly Fact[] {
  const { avr, lowBattery } = seen.conditions;
  const facts: Fact[] = before.conditions.avr === avr ? [] : [{ type: avrEvents[avr] }];
  const isReported =
    before.transfer.isFlagReported && !isFreshOutage(before.line, seen.line, askedClock(seen, now));
  if (lowBattery && !before.conditions.lowBattery && !isReported)
    facts.push({ type: 'LOW_BATTERY_FLAG', wait: flagWait(after, now) });
  return facts;
}

/** What LB waits for, in whole readings. */
function flagWait(ups: UpsState, now: PolicyClock): FlagWait {
  const { triggers, checkIntervalMs } = ups.policy;
  const facts = factsOf(ups);
  if (facts === null) return 0;
  if (inhibitedBy(ups.inhibits, 'LOW_BATTERY_FLAG', now.monotonicMs) !== null) return 'calibration';
  if (isFlagContradicted(facts, triggers)) return 'contradicted';
  const { confirmations, delayMs, doubtMs } = batteryTriggerNamed.LOW_BATTERY_FLAG;
  const lateMs = now.monotonicMs - (ups.readings.last?.askedMs ?? now.monotonicMs);
  // It has waited when a reading is asked for, and this one was before it is handled.
  const until = (ms: number) => (ms > 0 ? Math.ceil((ms + lateMs) / checkIntervalMs) : 0);
  const readings = Math.max(
    confirmations(triggers, facts) - ups.confirmed.LOW_BATTERY_FLAG,
    until(delayMs(triggers, facts) - onBatteryMs(ups.line, now.monotonicMs)),
    until(doubtMs(triggers, facts)),
  );
  return readings * checkIntervalMs;
}

function doubtFacts({ before, seen: { doubt } }: UpsChange): readonly Fact[] {
  const isDoubted = doubt.sinceMs !== null;
  if (isDoubted === (before.doubt.sinceMs !== null)) return none;
  return isDoubted
    ? [{ type: 'POWER_SOURCE_CONTRADICTED', why: doubt.why }]
    : [{ type: 'POWER_SOURCE_PLAUSIBLE', isAlone: false }];
}

function unknownSourceFacts({ before: { line: from }, seen: { line: to } }: UpsChange): readonly Fact[] {
  if (from.kind === 'unseen' && to.kind === 'unknown')
    return [{ type: 'POWER_SOURCE_CONTRADICTED', why: null }];
  const isKnown = from.kind === 'unknown' && to.kind === 'mains';
  return isKnown ? [{ type: 'POWER_SOURCE_PLAUSIBLE', isAlone: true }] : none;
}

const wordEvents = {
  BYPASS: ['BYPASS_MODE_ACTIVE', 'BYPASS_MODE_INACTIVE'],
  OVER: ['OVERLOAD_ACTIVE', 'OVERLOAD_RESOLVED'],
  RB: ['BATTERY_REPLACE', null],
  ALARM: ['UPS_ALARM', 'UPS_ALARM_CLEARED'],
  OFF: ['UPS_OFF', 'UPS_ON'],
  ECO: ['ECO_MODE_ACTIVE', 'ECO_MODE_INACTIVE'],
  CAL: ['CALIBRATION_STARTED', 'CALIBRATION_ENDED'],
} as const;

function statusWordFacts({ before, seen: { reported, readings } }: UpsChange): readonly Fact[] {
  if (before.reported === reported) return none;
  const alarm = alarmText(readings.shownWords, readings.variables);
  return statusReports(before.reported, reported).flatMap((report) => statusWordFact(report, alarm) ?? []);
}

/** `alarm`: its text, "" where the UPS gives none. */
export function statusWordFact(report: StatusReport, alarm: string): Fact | null {
  if (report.kind === 'alarmChanged') return { type: 'UPS_ALARM', alarm, isChange: true };
  if (report.kind === 'unknown')
    return { type: 'UNKNOWN_STATUS_WORD', word: report.word, isLast: report.isLast };
  const type = wordEvents[report.word][report.kind === 'began' ? 0 : 1];
  if (type === 'UPS_ALARM') return { type, alarm, isChange: false };
  return type === null ? null : { type };
}

/** The sequence that a trigger starts, or why it starts none. */
function triggerFacts({ before, after }: UpsChange): readonly Fact[] {
  const request = startedBy(before.shutdown, after.shutdown);
  if (request !== null) return [{ type: 'SHUTDOWN_TRIGGERED', trigger: request.trigger, why: request.why }];
  const isForced = after.fsd.kind === 'acting' && before.fsd.kind !== 'acting';
  const met = isForced ? fsdRequest : after.met === before.met ? null : after.met;
  if (met === null) return none;
  const { trigger, why } = met;
  return [{ type: 'TRIGGER_ADVISORY', trigger, why, byGroup: null }];
}

/** The events whose row finds its facts itself. */
const byRow = Object.entries(policyEvents).flatMap(([type, { found }]) => {
  if (found === undefined) return [];
  const factsOf = (change: UpsChange): readonly Fact[] => {
    const facts = found(change);
    return facts === null ? none : [{ type, ...facts } as Fact];
  };
  return [{ place: `the report of ${type}`, factsOf }];
});

export const upsReports: readonly Report<UpsChange>[] = [
  { place: 'the report of a slow poll', factsOf: slowPollFacts },
  {
    place: 'the report of a connection',
    factsOf: ({ before, after }) => connectionFacts(before.connection, after.connection),
  },
  { place: 'the report of the power quality', factsOf: ({ facts }) => facts },
  { place: 'the report of a transfer', factsOf: ({ before, seen, now }) => transferFacts(before, seen, now) },
  { place: 'the report of FSD', factsOf: forcedShutdownFacts },
  { place: 'the report of conditions', factsOf: conditionFacts },
  { place: 'the report of a doubt', factsOf: doubtFacts },
  { place: 'the report of an unknown source', factsOf: unknownSourceFacts },
  { place: 'the report of a status word', factsOf: statusWordFacts },
  ...byRow,
  {
    place: 'the report of a transfer',
    factsOf: ({ before, seen, after, now }) =>
      seen.line === after.line ? [] : transferFacts(before, after, now),
  },
  { place: 'the report of a trigger', factsOf: triggerFacts },
];
