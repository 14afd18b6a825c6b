// Handles one input of one UPS: its state machines in the order of a reading. A good reading passes connection, line,
// readings, triggers and shutdown; a failed poll or a tick only what needs no reading (failsafe-delay.ts).
import type { TriggerName } from '../../../shared/domain/status/states.js';
import { isFlagContradicted } from '../../../shared/domain/triggers/low-battery-flag.js';
import type { Facts } from '../../../shared/domain/triggers/trigger.js';
import { mainsVoltageOf } from '../../../shared/domain/ups/mains-voltage.js';
import { hasNoData } from '../../../shared/domain/ups/status-words.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { PolicyClock } from '../base/clock.js';
import { conditionsAfterStatus } from '../power/conditions.js';
import { pollFailed, toldNothing } from '../connection/connection.js';
import { holdsOf, longestHoldMs } from '../../../shared/domain/triggers/hold.js';
import { batteryTimeAfter, withTimeBefore } from '../power/battery-time.js';
import { depletionAfter, noDepletion } from '../power/depletion-rate.js';
import { fireTrigger } from './fire-trigger.js';
import { evaluateFailsafe } from './failsafe-delay.js';
import { fsdAfterStatus } from '../trigger/fsd-latch.js';
import { doubtAfter } from '../power/power-source-doubt.js';
import {
  batteryTestKind,
  inhibitedBy,
  inhibitsAfterOwnTest,
  inhibitsAfterStatus,
} from '../trigger/inhibits.js';
import type { PollOutcome } from '../base/inputs.js';
import {
  batteryUse,
  givenBeforeMs,
  isFreshOutage,
  isSettling,
  lineAfterReading,
} from '../power/power-source.js';
import { acceptReading } from '../power/readings.js';
import type { EffectCollector } from '../base/effect-collector.js';
import type { ShutdownRequest } from '../base/effects.js';
import {
  reportContradictedFlag,
  reportDoubt,
  reportStatusWord,
  reportKnownSource,
  reportUnknownSource,
} from '../view/status-messages.js';
import { noTransfer, transferAfter } from '../power/transfer.js';
import { sightAfter } from './sight.js';
import { reportedQuantitiesAfter } from '../power/reported-quantities.js';
import { alarmText, statusReportsAfter } from '../power/status-reports.js';
import { qualityAfter } from './power-quality.js';
import {
  reportConditions,
  reportForcedShutdown,
  reportSlowPoll,
  reportTransfer,
} from '../view/ups-messages.js';
import { confirmed, firing } from '../trigger/trigger-confirmations.js';
import { mayBeDischarging, sourceReadingOf, unprovenOf, withOutage } from './source-reading.js';
import type { UpsMemory, UpsState } from '../state/ups-state.js';
import { factsOf, undoubtedReading } from '../state/ups-state.js';
import { withRow } from './ups-changes.js';
import { shownAfter } from '../power/value-doubt.js';

type GoodReading = Extract<PollOutcome, { kind: 'reading' }>;

export interface Poll {
  readonly outcome: PollOutcome;
  readonly tookMs: number;
  readonly askedMs: number;
  readonly voltageHysteresisMs: number;
}

export function upsAfterPoll(
  before: UpsState,
  poll: Poll,
  now: PolicyClock,
  effects: EffectCollector,
): UpsState {
  const { outcome, tookMs } = poll;
  const { slowPollReportedMs: told } = before;
  const slowPollReportedMs = effects.shown('the report of a slow poll', told, () =>
    reportSlowPoll(told, tookMs, now.monotonicMs, before.policy, effects),
  );
  const ups = slowPollReportedMs === told ? before : { ...before, slowPollReportedMs };
  switch (outcome.kind) {
    case 'reading': {
      const after = hasNoData(outcome.reading.status)
        ? afterWait(ups, outcome)
        : afterReading(ups, outcome, poll, now, effects);
      return withRow(ups, after, now, effects);
    }
    case 'failed': {
      const failed: UpsState = {
        ...ups,
        lastReport: { watchedMs: now.watchedMs, waiting: false },
        connection: pollFailed(ups.connection, outcome.detail),
      };
      return withRow(ups, evaluateFailsafe(failed, now, effects), now, effects);
    }
    default:
      return unreachable(outcome);
  }
}

/** Handles timeouts: silence becomes failed polls; grace period and failsafe delay run out. */
export function upsAfterTick(ups: UpsState, now: PolicyClock, effects: EffectCollector): UpsState {
  const after = evaluateFailsafe(ups, now, effects);
  // On battery without a connection, only ticks update the displayed time on battery.
  const showsTime = ups.line.kind === 'outage' && ups.connection.detail !== 'OK';
  return after === ups && !showsTime ? ups : withRow(ups, after, now, effects);
}

export function upsAfterOwnTest(ups: UpsState, running: boolean, now: PolicyClock): UpsState {
  return { ...ups, inhibits: inhibitsAfterOwnTest(ups.inhibits, running, now.monotonicMs) };
}

export function upsAfterAssessment(
  ups: UpsState,
  estimate: UpsMemory['estimate'],
  now: PolicyClock,
  effects: EffectCollector,
): UpsState {
  return withRow(ups, { ...ups, estimate }, now, effects);
}

/**
 * WAIT: the server answers, and its driver has no data yet. Neither a good reading nor a failed poll: it is displayed,
 * does not restore the connection, and counts as silence while nothing else arrives.
 */
function afterWait(ups: UpsState, { reading, variables }: GoodReading): UpsState {
  return {
    ...ups,
    lastReport: { ...ups.lastReport, waiting: true },
    connection: toldNothing(ups.connection),
    readings: { ...ups.readings, shownWords: reading.status, variables },
  };
}

function afterReading(
  ups: UpsState,
  { reading, variables }: GoodReading,
  { askedMs, voltageHysteresisMs }: Poll,
  now: PolicyClock,
  effects: EffectCollector,
): UpsState {
  const { policy } = ups;
  const nowMs = now.monotonicMs;
  const words = reading.status;
  const readings = acceptReading(ups.readings, reading, variables, now, unprovenOf(ups, words));
  const { source } = readings.last;
  const mayDischarge = mayBeDischarging(ups.line, source, words);
  // Not guarded: without it a bad sample would act. Where it throws, the reserve decides, which knows jumps of its own.
  const shown = shownAfter(ups.shown, readings.last.reading, mayDischarge, ups.line.kind, askedMs, nowMs);
  const undoubted = undoubtedReading(readings.last, { readings, shown }, policy);
  const mains = mainsVoltageOf(reading, variables, ups.voltage.reportedVolts);
  const sourceReading = sourceReadingOf(ups, undoubted, variables, mains);
  const line = lineAfterReading(ups.line, sourceReading, policy.triggers, now);
  const sight = sightAfter(ups, readings, line, now, effects);
  const isFresh = isFreshOutage(ups.line, line, now);
  const depletion = isFresh ? noDepletion : ups.depletion;
  const declared = Number(variables['input.phases'] ?? 0);
  const { voltage, phaseLoss, anomaly } = effects.shown('the power quality', ups, () =>
    qualityAfter(ups, undoubted, mains, declared, policy, voltageHysteresisMs, now, effects),
  );
  const inhibits = inhibitsAfterStatus(ups.inhibits, words, policy.triggers.confirmations, nowMs);
  const isTesting = batteryTestKind(inhibits) !== null;
  const { checkIntervalMs, trustsCharge, triggers } = policy;
  const doubtSettings = { checkIntervalMs, trustsCharge, confirmations: triggers.confirmations };
  const isExplained = isTesting || isSettling(line, nowMs);
  const confirming = {
    confirmations: triggers.confirmations,
    // No threshold of the runtime shortens it: nothing is lost by waiting.
    statusMs: () => holdsOf(readings.variables, policy.holds, 0).statusMs,
  };
  const conditions = conditionsAfterStatus(ups.conditions, words, mayDischarge, confirming, nowMs);
  const isFlag = conditions.offSinceMs === null && words.includes('OFF');
  const told = isFlag ? words.filter((word) => word !== 'OFF') : words;
  const reported = effects.shown('the status words', { after: ups.reported, reports: [] }, () =>
    statusReportsAfter(ups.reported, told, variables, nowMs),
  );
  const volts = [mains.highestVolts, voltage.nominalVolts] as const;
  const doubt = doubtAfter(ups.doubt, undoubted, ...volts, isExplained, doubtSettings);
  const after: UpsState = {
    ...ups,
    reported: reported.after,
    doubt,
    shown,
    reportedQuantities: effects.shown('the reported quantities', ups.reportedQuantities, () =>
      reportedQuantitiesAfter(ups.reportedQuantities, readings.last, readings.variables),
    ),
    voltage,
    phaseLoss,
    anomaly,
    ...sight,
    line,
    batteryTime: batteryTimeAfter(
      withTimeBefore(ups.batteryTime, givenBeforeMs(ups.line, line, now), nowMs),
      batteryUse(line, source),
      undoubted.reading.chargePercent,
      () => longestHoldMs(variables, policy.holds),
      nowMs,
    ),
    fsd: fsdAfterStatus(ups.fsd, words, source, now),
    inhibits,
    transfer: transferAfter(isFresh ? noTransfer : ups.transfer, mayDischarge, readings.last.reading),
    depletion: depletionAfter(depletion, undoubted, [ups.shown, shown], line, policy),
    conditions,
    met: line.kind === 'outage' || doubt.acts ? ups.met : null,
  };
  reportReading(ups, after, now, effects);
  for (const report of reported.reports)
    effects.report('the report of a status word', () =>
      reportStatusWord(report, alarmText(words, variables), policy, effects),
    );
  return afterTriggers(ups, after, now, effects);
}

function reportReading(before: UpsState, after: UpsState, now: PolicyClock, effects: EffectCollector): void {
  const { policy } = after;
  const isTransfer = before.line.kind !== 'outage' && after.line.kind === 'outage';
  if (isTransfer && !policy.advisory) effects.prepare(policy.groupId);
  effects.report('the report of a transfer', () =>
    reportTransfer(before, after, policy, now.monotonicMs, effects),
  );
  effects.report('the report of FSD', () => reportForcedShutdown(before, after, policy, effects));
  effects.report('the report of conditions', () => reportConditions(before, after, policy, now, effects));
  effects.report('the report of a doubt', () => reportDoubt(before.doubt, after.doubt, policy, effects));
  if (before.line.kind === 'unseen' && after.line.kind === 'unknown')
    effects.report('the report of an unknown source', () => reportUnknownSource(policy, effects));
  if (before.line.kind === 'unknown' && after.line.kind === 'mains')
    effects.report('the report of a known source', () => reportKnownSource(policy, effects));
}

function afterTriggers(
  before: UpsState,
  seen: UpsState,
  now: PolicyClock,
  effects: EffectCollector,
): UpsState {
  const { triggers } = seen.policy;
  const facts = factsOf(seen);
  const counts = confirmed(seen.confirmed, triggers, facts);
  const transfer = effects.shown('the contradiction of LB', seen.transfer, () =>
    reportContradiction(seen, facts, effects),
  );
  const after =
    counts === seen.confirmed && transfer === seen.transfer ? seen : { ...seen, confirmed: counts, transfer };
  let request: ShutdownRequest<TriggerName> | null = null;
  if (after.fsd.kind === 'acting' && after.readings.shownWords.includes('FSD')) {
    request = { trigger: 'FSD', why: 'the UPS or its NUT primary demands a forced shutdown' };
  } else if (facts !== null) {
    request = firing(
      counts,
      triggers,
      facts,
      (trigger) => inhibitedBy(after.inhibits, trigger, now.monotonicMs) !== null,
      effects,
    );
  }
  return fireTrigger(before, withOutage(before, after, request, now, effects), request, now, effects);
}

/** Reports once in an outage that LB waits. */
function reportContradiction(
  { transfer, policy }: UpsState,
  facts: Facts | null,
  effects: EffectCollector,
): UpsState['transfer'] {
  const { triggers } = policy;
  if (facts === null || transfer.isContradictionTold || !triggers.lowBatteryFlag) return transfer;
  const isWaiting = facts.source !== 'contradicted' && facts.onBatteryMs < triggers.lowBatteryFlagDelayMs;
  if (!isWaiting || !isFlagContradicted(facts, triggers)) return transfer;
  effects.report('the report of LB', () => reportContradictedFlag(facts, policy, effects));
  return { ...transfer, isContradictionTold: true };
}
