// Handles one input of one UPS: its state machines in the order of a reading. A good reading passes readings, line, connection,
// triggers and shutdown; a failed poll or a tick only what needs no reading (failsafe-delay.ts).
import { reuseUnchanged } from '../base/comparison.js';
import type { TriggerName } from '../../../shared/domain/status/states.js';
import type { BatteryTriggerName } from '../../../shared/domain/triggers/table.js';
import { isFlagContradicted } from '../../../shared/domain/triggers/low-battery-flag.js';
import type { Facts } from '../../../shared/domain/triggers/trigger.js';
import { mainsVoltageOf } from '../../../shared/domain/ups/mains-voltage.js';
import { hasNoData } from '../../../shared/domain/ups/status-words.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { PolicyClock } from '../base/clock.js';
import { conditionsAfterStatus } from '../power/conditions.js';
import { pollFailed, answeredNothing } from '../connection/connection.js';
import {
  lastingStatusHoldMs,
  longestHoldMs,
  variablesOfDriver,
} from '../../../shared/domain/triggers/hold.js';
import { batteryTimeAfter, withTimeBefore } from '../power/battery-time.js';
import { depletionAfter, isAfterSilence, noDepletion } from '../power/depletion-rate.js';
import { fireTrigger } from './fire-trigger.js';
import { evaluateFailsafe } from './failsafe-delay.js';
import { fsdAfterStatus, fsdRequest } from '../trigger/fsd-latch.js';
import { doubtAfter } from '../power/power-source-doubt.js';
import {
  batteryTestKind,
  inhibitedBy,
  inhibitsAfterOwnTest,
  inhibitsAfterStatus,
} from '../trigger/inhibits.js';
import type { GoodReading, PollOutcome } from '../base/inputs.js';
import {
  batteryUse,
  batteryMsBefore,
  isFreshOutage,
  isSettling,
  lineAfterReading,
} from '../power/power-source.js';
import { acceptReading } from '../power/readings.js';
import type { Guarded, Loss } from '../base/loss.js';
import { nothingLost, shown as attempt } from '../base/loss.js';
import type { ShutdownRequest } from '../base/effects.js';
import type { UpsChange } from '../view/ups-facts.js';
import { noTransfer, transferAfter } from '../power/transfer.js';
import { connectionAfter } from './connection.js';
import { reportedQuantitiesAfter } from '../power/reported-quantities.js';
import { reportableWords, statusReportsAfter } from '../power/status-reports.js';
import { qualityAfter } from './power-quality.js';
import { confirmed, firing } from '../trigger/trigger-confirmations.js';
import { mayBeDischarging, sourceReadingOf, unprovenOf, withOutage } from './source-reading.js';
import type { UpsState } from '../state/ups-state.js';
import { factsOf, undoubtedReading } from '../state/ups-state.js';
import { shownAfter } from '../power/value-doubt.js';

export interface Poll {
  readonly outcome: PollOutcome;
  readonly tookMs: number;
  readonly askedMs: number;
  readonly voltageHysteresisMs: number;
}

/** What an input decides of a UPS; `seen`: after its reading, and before the triggers. */
export type DecidedUps = Pick<UpsChange, 'seen' | 'after' | 'facts'> & { readonly lost: readonly Loss[] };

export function upsAfterPoll(before: UpsState, poll: Poll, now: PolicyClock): DecidedUps {
  const { outcome } = poll;
  const slowPollReportedMs = slowReportedMs(before.slowPollReportedMs, poll.tookMs, now.monotonicMs);
  const ups = reuseUnchanged(before, { ...before, slowPollReportedMs });
  switch (outcome.kind) {
    case 'reading':
      return hasNoData(outcome.reading.status)
        ? unread(afterWait(ups, outcome))
        : afterReading(ups, outcome, poll, now);
    case 'failed': {
      const failed: UpsState = {
        ...ups,
        lastReport: { watchedMs: now.watchedMs, waiting: false },
        connection: pollFailed(ups.connection, outcome.detail),
      };
      const { value, lost } = evaluateFailsafe(failed, now);
      return unread(value, lost);
    }
    default:
      return unreachable(outcome);
  }
}

/** Without a reading. */
export function unread(after: UpsState, lost: readonly Loss[] = nothingLost): DecidedUps {
  return { seen: after, after, facts: [], lost };
}

/** A poll that takes this long records SLOW_NUT_RESPONSE (specification/policy.md#connection). */
const slowMs = 2_000;
/** A slow server is reported no more often than this. */
const slowPauseMs = 5 * 60_000;

/** When a slow poll was last reported, after one that took `tookMs`. */
function slowReportedMs(lastMs: number | null, tookMs: number, nowMs: number): number | null {
  return tookMs < slowMs || (lastMs !== null && nowMs - lastMs < slowPauseMs) ? lastMs : nowMs;
}

/** Handles timeouts: silence becomes failed polls; grace period and failsafe delay run out. Null: nothing changes. */
export function upsAfterTick(ups: UpsState, now: PolicyClock): DecidedUps | null {
  const { value: after, lost } = evaluateFailsafe(ups, now);
  // On battery without a connection, only ticks update the displayed time on battery.
  const showsTime = ups.line.kind === 'outage' && ups.connection.detail !== 'OK';
  return after === ups && !showsTime ? null : unread(after, lost);
}

export function upsAfterOwnTest(ups: UpsState, running: boolean, now: PolicyClock): UpsState {
  return { ...ups, inhibits: inhibitsAfterOwnTest(ups.inhibits, running, now.monotonicMs) };
}

/**
 * WAIT: the server answers, and its driver has no data yet. Neither a good reading nor a failed poll: it is displayed,
 * does not restore the connection, and counts as silence while nothing else arrives. It shows nothing of the driver that held the values.
 */
function afterWait(ups: UpsState, { reading, variables }: GoodReading): UpsState {
  return {
    ...ups,
    lastReport: { ...ups.lastReport, waiting: true },
    connection: answeredNothing(ups.connection),
    readings: {
      ...ups.readings,
      shownWords: reading.status,
      variables: { ...variablesOfDriver(ups.readings.variables), ...variables },
    },
  };
}

function afterReading(
  ups: UpsState,
  { reading, variables }: GoodReading,
  { askedMs, voltageHysteresisMs }: Poll,
  now: PolicyClock,
): DecidedUps {
  const { policy } = ups;
  const nowMs = now.monotonicMs;
  const words = reading.status;
  const readings = acceptReading(
    ups.readings,
    reading,
    variables,
    { ...now, askedMs },
    unprovenOf(ups, words),
  );
  const { source } = readings.last;
  const mayDischarge = mayBeDischarging(ups.line, source, words);
  // Not guarded: without it a bad sample would act. Where it throws, the reserve decides, which knows jumps of its own.
  const shown = shownAfter(ups.shown, readings.last.reading, mayDischarge, ups.line.kind, askedMs, nowMs);
  const undoubted = undoubtedReading(readings.last, { readings, shown }, policy);
  const mains = mainsVoltageOf(reading, variables, ups.voltage.reportedVolts);
  const sourceReading = sourceReadingOf(ups, undoubted, variables, mains);
  // Its times are those of requests, so that a daemon that stood still takes nothing for longer than it was.
  const asked = { ...now, monotonicMs: askedMs };
  const line = lineAfterReading(ups.line, sourceReading, policy.triggers, asked);
  const connected = connectionAfter(ups, readings, line, now);
  const isFresh = isFreshOutage(ups.line, line, asked);
  const depletion = isFresh || isAfterSilence(ups.readings.last, askedMs) ? noDepletion : ups.depletion;
  const before = { voltage: ups.voltage, phaseLoss: ups.phaseLoss, anomaly: ups.anomaly, facts: [] };
  const quality = attempt('the power quality', before, () =>
    qualityAfter(ups, undoubted, mains, variables, policy, voltageHysteresisMs, now),
  );
  const { voltage, phaseLoss, anomaly, facts } = quality.value;
  const inhibits = inhibitsAfterStatus(ups.inhibits, words, policy.triggers.confirmations, nowMs);
  const isTesting = batteryTestKind(inhibits) !== null;
  const { checkIntervalMs, trustsCharge, triggers } = policy;
  const doubtSettings = { checkIntervalMs, trustsCharge, confirmations: triggers.confirmations };
  const isExplained = isTesting || isSettling(line, askedMs);
  const confirming = {
    confirmations: triggers.confirmations,
    statusMs: () => lastingStatusHoldMs(readings.variables, policy.holds),
    askedMs,
  };
  const conditions = conditionsAfterStatus(ups.conditions, words, mayDischarge, confirming, nowMs);
  const reported = attempt('the status words', ups.reported, () =>
    statusReportsAfter(
      ups.reported,
      reportableWords(ups.reported, words, conditions.offSinceMs, askedMs),
      variables,
      lastingStatusHoldMs(readings.variables, policy.holds),
      nowMs,
      askedMs,
    ),
  );
  const quantities = attempt('the reported quantities', ups.reportedQuantities, () =>
    reportedQuantitiesAfter(ups.reportedQuantities, readings.last, readings.variables),
  );
  const volts = [mains.highestVolts, voltage.nominalVolts] as const;
  const doubt = doubtAfter(ups.doubt, undoubted, ...volts, isExplained, doubtSettings);
  const seen: UpsState = {
    ...ups,
    reported: reported.value,
    doubt,
    shown,
    reportedQuantities: quantities.value,
    voltage,
    phaseLoss,
    anomaly,
    ...connected,
    line,
    batteryTime: batteryTimeAfter(
      withTimeBefore(ups.batteryTime, batteryMsBefore(ups.line, line, asked), askedMs),
      batteryUse(line, source),
      undoubted.reading.chargePercent,
      () => longestHoldMs(variables, policy.holds),
      nowMs,
      askedMs,
    ),
    fsd: fsdAfterStatus(ups.fsd, words, source, now, askedMs),
    inhibits,
    transfer: transferAfter(isFresh ? noTransfer : ups.transfer, mayDischarge, readings.last.reading),
    depletion: depletionAfter(depletion, undoubted, [ups.shown, shown], line, policy),
    conditions,
    met: line.kind === 'outage' || doubt.acts ? ups.met : null,
  };
  const { value: after, lost } = afterTriggers(seen, now);
  return {
    seen,
    after,
    facts,
    lost: [...quality.lost, ...reported.lost, ...quantities.lost, ...lost],
  };
}

function afterTriggers(seen: UpsState, now: PolicyClock): Guarded<UpsState> {
  const { triggers } = seen.policy;
  const askedMs = seen.readings.last?.askedMs ?? now.monotonicMs;
  const facts = factsOf(seen);
  const counts = confirmed(seen.confirmed, triggers, facts);
  const transfer = attempt('the contradiction of LB', seen.transfer, () =>
    contradictionReported(seen, facts),
  );
  const ups = reuseUnchanged(seen, { ...seen, confirmed: counts, transfer: transfer.value });
  const isForced = ups.fsd.kind === 'acting' && ups.readings.shownWords.includes('FSD');
  const isInhibited = (trigger: BatteryTriggerName) => inhibitedBy(ups.inhibits, trigger, askedMs) !== null;
  const { value: request, lost }: Guarded<ShutdownRequest<TriggerName> | null> =
    isForced || facts === null
      ? { value: isForced ? fsdRequest : null, lost: nothingLost }
      : firing(counts, triggers, facts, isInhibited);
  return {
    value: fireTrigger(withOutage(ups, request, now), request, now),
    lost: [...transfer.lost, ...lost],
  };
}

/** That LB waits is reported once in an outage. */
function contradictionReported({ transfer, policy }: UpsState, facts: Facts | null): UpsState['transfer'] {
  const { triggers } = policy;
  if (facts === null || transfer.isContradictionReported || !triggers.lowBatteryFlag) return transfer;
  const isWaiting = facts.source !== 'contradicted' && facts.onBatteryMs < triggers.lowBatteryFlagDelayMs;
  if (!isWaiting || !isFlagContradicted(facts, triggers)) return transfer;
  return { ...transfer, isContradictionReported: true };
}
