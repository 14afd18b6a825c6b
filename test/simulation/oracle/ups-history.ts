// What one UPS has reported since the daemon first read it, in the terms of specification/policy.md#states. Written from
// the specification and not from supervisor/policy: where the two differ, one of them is wrong. A diary is a value: what
// the daemon's snapshot keeps, the oracle keeps by keeping the diary of that moment.
import type { Reading, Variables } from '../../../shared/domain/ups/reading.js';
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { ChargeLog } from './charge-log.js';
import { emptyLog, logged } from './charge-log.js';
import type { Given } from './given.js';
import { givenAfter, givenBefore } from './given.js';
import type { Zero } from './zeros.js';
import { believed, isBelowNominal, zeroAfter } from './zeros.js';
import type { Progress } from './doubt.js';
import { crossedFar, fellFar, holds, isConfirmed, isSame, longestHold, progressed } from './doubt.js';
import type { Lowest, Unknown } from './unknown-source.js';
import { beganMs, lowestAfter } from './unknown-source.js';
import type { Course, First, Fsd } from './power-course.js';
import {
  bypassAfter,
  firstAfter,
  fsdAfter,
  isBypassOver,
  outageAfter,
  sourceAfter,
  unconfirmedAfter,
} from './power-course.js';
import type { OffOnLine } from './off-on-line.js';
import { offOnLineAfter } from './off-on-line.js';
import type { OnlyStale } from './only-stale.js';
import { heardAfter, lesser } from './only-stale.js';

/** A good reading with a status, as the specification accepts it. Times are the monotonic clock in ms. */
export interface Observed {
  readonly atMs: number;
  readonly askedMs: number;
  readonly watchedMs: number;
  readonly words: readonly string[];
  /** OB, and what counts as OB in an outage. */
  readonly onBattery: boolean;
  /** OL and OB, as in every reading before it: which is true is unknown. */
  readonly isUnknown: boolean;
  readonly onLine: boolean;
  readonly inBypass: boolean;
  /** It tells nothing of source and battery: silence for the failsafe. */
  readonly isSilence: boolean;
  readonly chargePercent: number | null;
  readonly runtimeSeconds: number | null;
}

export interface UpsHistory {
  readonly last: Observed | null;
  /** The last status that was not BYPASS alone counted as OB. */
  readonly onBattery: boolean;
  /** Start of the outage; null without one. */
  readonly outageMs: number | null;
  readonly unknown: Unknown | null;
  /** In an outage of a UPS whose source was unknown before it. */
  readonly lowest: Lowest | null;
  /** Readings in a row with OB in this outage, before `confirmations` of them, DISCHRG or LB have confirmed it; null after that. */
  readonly unconfirmed: number | null;
  /** The stay in bypass: since when, and since when each reading of it may have had mains. */
  readonly bypass: { readonly sinceMs: number; readonly mainsMs: number | null } | null;
  /** The time that the battery gave: its sum at the begin of a stretch of one use, and what the charge has said since. */
  readonly given: Given;
  readonly endedOutage: { readonly startedMs: number; readonly endedMs: number } | null;
  /** Good readings in a row with OL and without OB; with OB. */
  readonly lineReadings: number;
  readonly batteryReadings: number;
  /** Since when each good reading has OB, OB with LB, OB with OVER; null while the last one has not. */
  readonly batteryMs: number | null;
  readonly lowFlagMs: number | null;
  readonly overloadMs: number | null;
  readonly charge: Progress;
  readonly runtime: Progress;
  readonly variables: Variables;
  readonly charges: ChargeLog;
  /** The first charge and runtime on battery in this outage. */
  readonly first: First;
  /** Of charge and runtime: since when 0, first on line power, and whether a value above it was ever read. */
  readonly zeros: { readonly charge: Zero; readonly runtime: Zero };
  /** Since when the word is there; it is gone after `confirmations` good readings in a row without it. */
  readonly testMs: number | null;
  readonly calibrationMs: number | null;
  readonly calibrationLowMs: number | null;
  /** Since when every reading had OFF and no OB. */
  readonly offMs: number | null;
  readonly offOnLine: OffOnLine;
  /** Good readings in a row without the word. */
  readonly without: { readonly TEST: number; readonly CAL: number };
  readonly fsd: Fsd;
  readonly failedPolls: number;
  /** Failed polls that were not merely stale data. */
  readonly hardFailures: number;
  readonly onlyStale: OnlyStale;
  /** Watched time of the last conclusive poll, good or failed. */
  readonly lastReportMs: number;
}

export function afterFailure(
  upsHistory: UpsHistory,
  isStale: boolean,
  policy: UpsSettings,
  watchedMs: number,
): UpsHistory {
  const { hardFailures, failedPolls, lastReportMs } = upsHistory;
  const onlyStale = isStale
    ? lesser(upsHistory.onlyStale, heardAfter(watchedMs - lastReportMs, policy))
    : 'no';
  return {
    ...upsHistory,
    failedPolls: failedPolls + 1,
    hardFailures: hardFailures + (isStale ? 0 : 1),
    onlyStale,
    lastReportMs: watchedMs,
  };
}

/** After a good reading with a status. */
export function afterReading(
  upsHistory: UpsHistory,
  reading: Reading,
  variables: Variables,
  policy: UpsSettings,
  course: Course,
  { askedMs, atMs }: { readonly askedMs: number; readonly atMs: number },
  watchedMs: number,
): UpsHistory {
  const { triggers, checkIntervalMs } = policy;
  const words = reading.status;
  const has = (word: string) => words.includes(word);
  const onLine = !has('OB') && (has('OL') || has('TRIM') || has('BOOST'));
  const inBypass = !has('OB') && !onLine && has('BYPASS');
  const isNameless = !onLine && !inBypass && !has('OB') && !has('OFF');
  const isObConfirmed = upsHistory.unconfirmed === null || has('DISCHRG') || has('LB');
  const isAssumed =
    upsHistory.outageMs !== null && !onLine && !inBypass && (has('OB') || has('OFF') || isObConfirmed);
  const isBoth = has('OL') && has('OB');
  const mayBeLine = isBoth && (upsHistory.last === null || upsHistory.unknown !== null);
  const isNoZero = (so: Progress) => onLine || (mayBeLine && so.value === null);
  const [noCharge, noRuntime] = [isNoZero(upsHistory.charge), isNoZero(upsHistory.runtime)];
  const zeros = {
    charge: zeroAfter(upsHistory.zeros.charge, reading.chargePercent, noCharge, atMs),
    runtime: zeroAfter(upsHistory.zeros.runtime, reading.runtimeSeconds, noRuntime, atMs),
  };
  const saysEmpty = has('LB') || isBelowNominal(variables);
  const chargePercent = believed(reading.chargePercent, zeros.charge, noCharge, saysEmpty, atMs);
  const runtimeSeconds = believed(reading.runtimeSeconds, zeros.runtime, noRuntime, saysEmpty, atMs);
  const isEmpty = chargePercent === null && runtimeSeconds === null;
  const hold = holds(variables, policy.holds, triggers).value;
  const charge = progressed(upsHistory.charge, chargePercent, askedMs, atMs);
  const runtime = progressed(upsHistory.runtime, runtimeSeconds, askedMs, atMs);
  const { lowBatteryPercent, criticalRuntimeSeconds } = triggers;
  const isChargeDoubted =
    (fellFar.charge(charge) || crossedFar('charge', charge, lowBatteryPercent)) && !isConfirmed(charge, hold);
  const isRuntimeDoubted =
    (fellFar.runtime(runtime) || crossedFar('runtime', runtime, criticalRuntimeSeconds)) &&
    !isConfirmed(runtime, hold);
  const undoubted = {
    atMs,
    charge: isChargeDoubted ? null : chargePercent,
    runtime: isRuntimeDoubted ? null : runtimeSeconds,
    load: reading.loadPercent,
  };
  const source = sourceAfter(
    upsHistory,
    { onLine, hasOb: has('OB'), isBoth },
    undoubted,
    course,
    hold,
    triggers,
  );
  const isUnknown = source.unknown !== null && isBoth;
  const onBattery = source.unknown === null && (has('OB') || isAssumed);
  const lineReadings =
    onLine || (isNameless && !isObConfirmed && upsHistory.outageMs !== null)
      ? upsHistory.lineReadings + 1
      : 0;
  const bypass = bypassAfter(upsHistory, { atMs, inBypass }, reading.inputVolts, reading.nominalVolts);
  const isOver = isBypassOver(bypass, triggers.bypassEndMs, atMs);
  const isStable = lineReadings >= triggers.confirmations || isOver;
  const outage = source.isQuiet
    ? { outageMs: null, endedOutage: null }
    : outageAfter(upsHistory, { atMs, onBattery, inBypass }, isStable, source.beganMs);
  const wasOutage = upsHistory.outageMs !== null;
  const isSilence = isNameless && isEmpty && outage.outageMs !== null;
  const observed: Observed = {
    atMs,
    askedMs,
    watchedMs: isSilence ? (upsHistory.last?.watchedMs ?? watchedMs) : watchedMs,
    words,
    onBattery,
    isUnknown,
    onLine,
    inBypass,
    isSilence,
    chargePercent,
    runtimeSeconds,
  };
  const offOnLine = offOnLineAfter(upsHistory.offOnLine, words, { askedMs, atMs }, variables, policy);
  const isOff = has('OFF') && !has('OB') && !(has('OL') && offOnLine.always !== false);
  const without = (word: 'TEST' | 'CAL') => (has(word) ? 0 : upsHistory.without[word] + 1);
  const isThere = (word: 'TEST' | 'CAL', sinceMs: number | null) =>
    has(word) || (sinceMs !== null && without(word) < policy.triggers.confirmations);
  const isCalibrating = isThere('CAL', upsHistory.calibrationMs);
  const isFresh =
    !wasOutage && (outage.outageMs === atMs || (upsHistory.unknown !== null && outage.outageMs !== null));
  const chargesBefore = isFresh ? { ...emptyLog, sinceMs: outage.outageMs ?? atMs } : upsHistory.charges;
  const span = {
    windowMs: triggers.depletion.windowMs,
    intervalMs: checkIntervalMs,
    settledMs: (outage.outageMs ?? atMs) + triggers.stabilizationMs,
  };
  // "A jump that a lower charge follows is confirmed by it."
  const jump = isSame(charge, upsHistory.charge) ? null : upsHistory.charge;
  const isFollowed =
    jump !== null &&
    jump.value !== null &&
    jump.changedMs >= chargesBefore.sinceMs &&
    (fellFar.charge(jump) || jump.before === null) &&
    (charge.value ?? 100) < jump.value;
  const read =
    onBattery && !isSame(runtime, upsHistory.runtime) ? { ...chargesBefore, runtimeMs: atMs } : chargesBefore;
  const known =
    onBattery && isFollowed && read.list.at(-1)?.percent !== jump.value
      ? logged(read, { atMs: jump.changedMs, percent: jump.value ?? 0 }, span)
      : read;
  const percent = undoubted.charge;
  const charges =
    onBattery && percent !== null ? logged(known, { atMs: charge.changedMs, percent }, span, atMs) : known;
  const since = (isShown: boolean, before: number | null) => (isShown ? (before ?? atMs) : null);
  const begunMs = upsHistory.unknown === null ? null : outage.outageMs;
  const shownLateMs = source.isQuiet ? -onBatteryMs(upsHistory, atMs) : begunMs === null ? 0 : atMs - begunMs;
  const isFlicker = !onBattery && !isUnknown && outage.outageMs !== null;
  const flagMs = since((onBattery || isUnknown) && has('LB'), upsHistory.lowFlagMs);
  return {
    last: observed,
    onBattery: onBattery || (!onLine && outage.outageMs !== null && upsHistory.onBattery),
    ...outage,
    bypass: outage.outageMs === null ? null : bypass,
    unknown: source.unknown,
    lowest: source.lowest,
    unconfirmed: unconfirmedAfter(
      upsHistory,
      outage.outageMs,
      { hasOb: has('OB'), onLine, isNameless, isConfirmed: isObConfirmed },
      triggers.confirmations,
    ),
    given: givenAfter(
      givenBefore(upsHistory.given, atMs, shownLateMs),
      { atMs, chargePercent: undoubted.charge },
      onBattery ? 1 : onLine || source.unknown !== null ? -0.1 : 0,
      longestHold(variables, policy.holds),
    ),
    lineReadings,
    batteryReadings: onBattery ? upsHistory.batteryReadings + 1 : 0,
    batteryMs: since(onBattery, upsHistory.batteryMs),
    lowFlagMs: isFlicker ? upsHistory.lowFlagMs : flagMs,
    overloadMs: since(onBattery && has('OVER'), upsHistory.overloadMs),
    charge,
    runtime,
    variables,
    first: firstAfter(isFresh ? { charge: null, runtime: null } : upsHistory.first, observed),
    charges,
    zeros,
    testMs: isThere('TEST', upsHistory.testMs) ? (upsHistory.testMs ?? atMs) : null,
    calibrationMs: isCalibrating ? (upsHistory.calibrationMs ?? atMs) : null,
    calibrationLowMs: isCalibrating && has('LB') ? (upsHistory.calibrationLowMs ?? atMs) : null,
    without: { TEST: without('TEST'), CAL: without('CAL') },
    offMs: isOff ? (upsHistory.offMs ?? atMs) : null,
    offOnLine,
    fsd: fsdAfter(upsHistory.fsd, has('FSD'), observed),
    failedPolls: isSilence ? upsHistory.failedPolls : 0,
    hardFailures: isSilence ? upsHistory.hardFailures : 0,
    onlyStale: isSilence ? 'no' : 'yes',
    lastReportMs: isSilence ? upsHistory.lastReportMs : watchedMs,
  };
}

/** A trigger that is met while the source is unknown shows an outage, since its values began to fall. */
export function outageShown(upsHistory: UpsHistory, confirmations: number): UpsHistory {
  const { unknown, last, given } = upsHistory;
  const shown = unknown?.halfHours.at(-1)?.at(-1);
  if (unknown === null || shown === undefined || last === null) return upsHistory;
  const { atMs } = shown;
  const outageMs = beganMs(unknown) ?? atMs;
  return {
    ...upsHistory,
    last: { ...last, isUnknown: false, onBattery: true },
    onBattery: true,
    outageMs,
    unknown: null,
    lowest: lowestAfter(null, shown),
    unconfirmed: confirmations > 1 ? 1 : null,
    given: { ...givenBefore(given, atMs, atMs - outageMs), pace: 1 },
  };
}

/** Time on battery at `atMs`; 0 without an outage. */
export function onBatteryMs({ outageMs, bypass }: UpsHistory, atMs: number): number {
  return outageMs === null ? 0 : (bypass?.sinceMs ?? atMs) - outageMs;
}
