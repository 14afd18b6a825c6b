// One UPS through one input: its machines in reading order. A good reading passes connection, line, readings, triggers
// and shutdown; a failed poll and the mere passing of time only what needs no reading (failsafe.ts).
import type { TriggerName } from '../../shared/domain/states.js';
import { tellsNothing } from '../../shared/domain/status-words.js';
import { unreachable } from '../../shared/domain/unreachable.js';
import type { PolicyClock } from './clock.js';
import { conditionsAfterWords } from './conditions.js';
import { pollFailed, seenAgain } from './connection.js';
import type { Depletion } from './depletion.js';
import { afterCharge, noDepletion, readingsNeeded } from './depletion.js';
import { concluded } from './fire.js';
import { afterBlindness } from './failsafe.js';
import { afterWords } from './fsd.js';
import { heldBy, holdsAfterOwnTest, holdsAfterWords } from './inhibits.js';
import type { PollOutcome, UpsPolicy } from './inputs.js';
import type { Line } from './line.js';
import { afterReading, isOnBattery } from './line.js';
import type { Seen } from './readings.js';
import { believed } from './readings.js';
import type { Said } from './effect-collector.js';
import type { Demand } from './shutdown.js';
import { qualityAfter } from './quality.js';
import { tellSlow } from './quality-messages.js';
import { tellConditions, tellFsd, tellLine, tellSight } from './ups-messages.js';
import type { BatteryTrigger } from './triggers.js';
import { confirmed, firing, reasonOf } from './triggers.js';
import type { UpsMemory, UpsState } from './ups-state.js';
import { factsOf } from './ups-state.js';
import { rowOf, sameRow } from './view.js';

type Good = Extract<PollOutcome, { kind: 'reading' }>;

export interface Poll {
  readonly outcome: PollOutcome;
  readonly tookMs: number;
  readonly voltageHysteresisMs: number;
}

export function upsAfterPoll(before: UpsState, poll: Poll, now: PolicyClock, said: Said): UpsState {
  const { outcome, tookMs } = poll;
  const slowToldMs = tellSlow(before.slowToldMs, tookMs, now.monotonicMs, before.policy, said);
  const ups = slowToldMs === before.slowToldMs ? before : { ...before, slowToldMs };
  switch (outcome.kind) {
    case 'reading': {
      const told = tellsNothing(outcome.reading.status)
        ? afterWait(ups, outcome)
        : afterGood(ups, outcome, poll.voltageHysteresisMs, now, said);
      return shown(ups, told, now, said);
    }
    case 'failed': {
      const failed: UpsState = {
        ...ups,
        heard: { watchedMs: now.watchedMs, waiting: false },
        connection: pollFailed(ups.connection, outcome.detail),
      };
      return shown(ups, afterBlindness(failed, now, said), now, said);
    }
    default:
      return unreachable(outcome);
  }
}

/** What happens by the mere passing of time: silence becomes failed polls, grace period and failsafe run out. */
export function upsAfterTick(ups: UpsState, now: PolicyClock, said: Said): UpsState {
  const after = afterBlindness(ups, now, said);
  // Out of sight on battery, nothing but the tick moves the time on battery that is shown.
  const runsOn = ups.line.kind === 'outage' && ups.connection.detail !== 'OK';
  return after === ups && !runsOn ? ups : shown(ups, after, now, said);
}

export function upsAfterOwnTest(ups: UpsState, running: boolean, now: PolicyClock): UpsState {
  return { ...ups, holds: holdsAfterOwnTest(ups.holds, running, now.monotonicMs) };
}

/**
 * WAIT: the server answers, and its driver knows nothing yet. That is neither a good reading nor a failed poll: it is
 * shown, it ends no loss of sight, and while nothing better comes it counts as silence.
 */
function afterWait(ups: UpsState, { reading, variables }: Good): UpsState {
  return {
    ...ups,
    heard: { ...ups.heard, waiting: true },
    readings: { ...ups.readings, shownWords: reading.status, variables },
  };
}

function afterGood(
  ups: UpsState,
  { reading, variables }: Good,
  hysteresisMs: number,
  now: PolicyClock,
  said: Said,
): UpsState {
  const { policy } = ups;
  const nowMs = now.monotonicMs;
  const words = reading.status;
  const { connection, changes } = seenAgain(ups.connection, policy.grace, nowMs);
  for (const change of changes) tellSight(change, ups.connection, policy, said);
  const readings = believed(ups.readings, reading, variables, now);
  const { source } = readings.last;
  const line = afterReading(ups.line, source, policy.triggers.confirmations, now);
  const depletion = freshOutage(ups.line, line, now) ? noDepletion : ups.depletion;
  const { voltage, anomaly } = qualityAfter(ups, readings.last, policy, hysteresisMs, now, said);
  const after: UpsState = {
    ...ups,
    voltage,
    anomaly,
    heard: { watchedMs: now.watchedMs, waiting: false },
    connection,
    readings,
    line,
    fsd: afterWords(ups.fsd, words, source, now),
    holds: holdsAfterWords(ups.holds, words, nowMs),
    depletion: afterSeen(depletion, readings.last, policy),
    conditions: conditionsAfterWords(ups.conditions, words, source, nowMs),
    met: line.kind === 'outage' ? ups.met : null,
  };
  tellReading(ups, after, now, said);
  return afterTriggers(ups, after, now, said);
}

function tellReading(before: UpsState, after: UpsState, now: PolicyClock, said: Said): void {
  const { policy } = after;
  const isTransfer = before.line.kind !== 'outage' && after.line.kind === 'outage';
  if (isTransfer && !policy.advisory) said.prepare(policy.groupId);
  tellLine(before, after, policy, now.monotonicMs, said);
  tellFsd(before.fsd, after.fsd, policy, said);
  tellConditions(before.conditions, after.conditions, policy, said);
}

function afterTriggers(before: UpsState, seen: UpsState, now: PolicyClock, said: Said): UpsState {
  const { triggers } = seen.policy;
  const facts = factsOf(seen);
  const counts = confirmed(seen.confirmed, triggers, facts);
  const after = counts === seen.confirmed ? seen : { ...seen, confirmed: counts };
  let demand: Demand<TriggerName> | null = null;
  if (after.fsd.kind === 'acting' && after.readings.shownWords.includes('FSD')) {
    demand = { trigger: 'FSD', why: 'the UPS or its NUT primary demands a forced shutdown' };
  } else if (facts !== null) {
    const isHeld = (trigger: BatteryTrigger) => heldBy(after.holds, trigger, now.monotonicMs) !== null;
    const trigger = firing(counts, triggers, facts.onBatteryMs, isHeld);
    if (trigger !== null) demand = { trigger, why: reasonOf(trigger, triggers, facts) };
  }
  return concluded(before, after, demand, now, said);
}

/** A new transfer to battery, as opposed to one that resumes the clocks of the outage just ended. */
function freshOutage(before: Line, after: Line, now: PolicyClock): boolean {
  return before.kind !== 'outage' && after.kind === 'outage' && after.clock.startedMs === now.monotonicMs;
}

function afterSeen(
  depletion: Depletion,
  { reading, source, monotonicMs }: Seen,
  policy: UpsPolicy,
): Depletion {
  const percent = reading.chargePercent;
  if (source !== 'battery' || percent === null) return depletion;
  const { windowMs } = policy.triggers.depletion;
  return afterCharge(
    depletion,
    { atMs: monotonicMs, percent },
    windowMs,
    readingsNeeded(windowMs, policy.checkIntervalMs),
  );
}

/** With the row that shows it; published and kept for a restart only when there is something new. */
function shown(before: UpsState, after: UpsState, now: PolicyClock, said: Said): UpsState {
  const { policy } = before;
  if (survives(before, after, policy)) said.mustSurvive();
  const row = rowOf(policy, after, now);
  if (sameRow(row, before.row)) return after;
  said.rowChanged(policy.groupId);
  return { ...after, row };
}

/** Whether `after` holds something new that a restart must not lose; the time of a reading on line power is not. */
function survives(before: UpsMemory, after: UpsMemory, { maxStaleDataTolerance }: UpsPolicy): boolean {
  // On battery each one counts: with it the time is kept for which the failsafe has waited.
  const most = isOnBattery(after.line) ? Infinity : maxStaleDataTolerance;
  const failures = ({ connection }: UpsMemory) => Math.min(connection.failedPolls, most);
  return (
    before.line !== after.line ||
    before.fsd !== after.fsd ||
    before.holds !== after.holds ||
    before.depletion !== after.depletion ||
    before.confirmed !== after.confirmed ||
    before.met !== after.met ||
    before.conditions !== after.conditions ||
    before.voltage.excursion !== after.voltage.excursion ||
    before.shutdown !== after.shutdown ||
    before.connection.sight !== after.connection.sight ||
    failures(before) !== failures(after) ||
    before.readings.last?.source !== after.readings.last?.source
  );
}
