// What one UPS has reported since the daemon first read it, in the terms of specification/policy.md#states. Written from
// the specification and not from supervisor/policy: where the two differ, one of them is wrong. A diary is a value: what
// the daemon's snapshot keeps, the oracle keeps by keeping the diary of that moment.
import type { Reading, Variables } from '../../../shared/domain/reading.js';
import type { UpsSettings } from '../../../supervisor/policy/inputs.js';
import type { ChargeLog } from './charge-log.js';
import { emptyLog, logged } from './charge-log.js';
import type { Given } from './given.js';
import { givenAfter, nothingGiven } from './given.js';
import type { Zero } from './zeros.js';
import { believed, noZero, zeroAfter } from './zeros.js';
import type { Progress } from './doubt.js';
import { crossedFar, fellFar, holds, isConfirmed, isSame, notRead, progressed } from './doubt.js';
import type { OnlyStale } from './only-stale.js';
import { heardAfter, lesser } from './only-stale.js';

/** A good reading with a status, as the specification accepts it. Times are the monotonic clock in ms. */
export interface Observed {
  readonly atMs: number;
  readonly watchedMs: number;
  readonly words: readonly string[];
  /** OB, and what counts as OB in an outage. */
  readonly onBattery: boolean;
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
  /** The stay in bypass: since when, and since when each reading of it may have had mains. */
  readonly bypass: { readonly sinceMs: number; readonly mainsMs: number | null } | null;
  /** The time that the battery gave: its sum at the begin of a stretch of one use, and what the charge has said since. */
  readonly given: Given;
  readonly endedOutage: { readonly startedMs: number; readonly endedMs: number } | null;
  /** Good readings in a row with OL and without OB. */
  readonly lineReadings: number;
  /** Good readings in a row with OB. */
  readonly batteryReadings: number;
  /** Since when each good reading has OB, OB with LB, OB with OVER; null while the last one has not. */
  readonly batteryMs: number | null;
  readonly lowFlagMs: number | null;
  readonly overloadMs: number | null;
  readonly charge: Progress;
  readonly runtime: Progress;
  /** Of the last good reading. */
  readonly variables: Variables;
  readonly charges: ChargeLog;
  /** The first charge and runtime on battery in this outage. */
  readonly first: { readonly charge: number | null; readonly runtime: number | null };
  /** Of charge and runtime: since when 0, first on line power, and whether a value above it was ever read. */
  readonly zeros: { readonly charge: Zero; readonly runtime: Zero };
  /** Since when the word is there; it is gone after `confirmations` good readings in a row without it. */
  readonly testMs: number | null;
  readonly calibrationMs: number | null;
  readonly calibrationLowMs: number | null;
  /** Since when every reading had OFF and no OB. */
  readonly offMs: number | null;
  /** The first reading with OL, without OB, had OFF. */
  readonly alwaysOff: boolean | null;
  /** Good readings in a row without the word. */
  readonly without: { readonly TEST: number; readonly CAL: number };
  readonly fsd: 'unread' | 'absent' | 'latched' | 'acting';
  readonly failedPolls: number;
  /** Failed polls that were not merely stale data. */
  readonly hardFailures: number;
  readonly onlyStale: OnlyStale;
  /** Watched time of the last conclusive poll, good or failed. */
  readonly lastReportMs: number;
}

/** `watchedMs`: when the daemon started to watch. */
export function blankUpsHistory(watchedMs: number): UpsHistory {
  return {
    last: null,
    onBattery: false,
    outageMs: null,
    bypass: null,
    given: nothingGiven,
    endedOutage: null,
    lineReadings: 0,
    batteryReadings: 0,
    batteryMs: null,
    lowFlagMs: null,
    overloadMs: null,
    charge: notRead,
    runtime: notRead,
    variables: {},
    charges: emptyLog,
    first: { charge: null, runtime: null },
    zeros: { charge: noZero, runtime: noZero },
    testMs: null,
    calibrationMs: null,
    calibrationLowMs: null,
    offMs: null,
    alwaysOff: null,
    without: { TEST: 0, CAL: 0 },
    fsd: 'unread',
    failedPolls: 0,
    hardFailures: 0,
    onlyStale: 'yes',
    lastReportMs: watchedMs,
  };
}

/** "OB again within 60 s of the end resumes the earlier clocks." */
const resumeMs = 60_000;

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
  { askedMs, atMs }: { readonly askedMs: number; readonly atMs: number },
  watchedMs: number,
): UpsHistory {
  const { triggers, checkIntervalMs } = policy;
  const words = reading.status;
  const has = (word: string) => words.includes(word);
  const onLine = !has('OB') && (has('OL') || has('TRIM') || has('BOOST'));
  const inBypass = !has('OB') && !onLine && has('BYPASS');
  const isAssumed = upsHistory.outageMs !== null && !onLine && !inBypass;
  const onBattery = has('OB') || isAssumed;
  const zeros = {
    charge: zeroAfter(upsHistory.zeros.charge, reading.chargePercent, onLine, atMs),
    runtime: zeroAfter(upsHistory.zeros.runtime, reading.runtimeSeconds, onLine, atMs),
  };
  const chargePercent = believed(reading.chargePercent, zeros.charge, onLine, words, atMs);
  const runtimeSeconds = believed(reading.runtimeSeconds, zeros.runtime, onLine, words, atMs);
  const namesSource = has('OB') || has('OFF') || !isAssumed;
  const isSilence = !namesSource && chargePercent === null && runtimeSeconds === null;
  const observed: Observed = {
    atMs,
    watchedMs: isSilence ? (upsHistory.last?.watchedMs ?? watchedMs) : watchedMs,
    words,
    onBattery,
    onLine,
    inBypass,
    isSilence,
    chargePercent,
    runtimeSeconds,
  };
  const lineReadings = onLine ? upsHistory.lineReadings + 1 : 0;
  const bypass = bypassAfter(upsHistory, observed, reading.inputVolts, reading.nominalVolts);
  const isOver = isBypassOver(bypass, triggers.bypassEndMs, atMs);
  const outage = outageAfter(upsHistory, observed, lineReadings >= triggers.confirmations || isOver);
  const alwaysOff = upsHistory.alwaysOff ?? (has('OL') && !has('OB') ? has('OFF') : null);
  const isOff = has('OFF') && !has('OB') && !(has('OL') && alwaysOff === true);
  const without = (word: 'TEST' | 'CAL') => (has(word) ? 0 : upsHistory.without[word] + 1);
  const isThere = (word: 'TEST' | 'CAL', sinceMs: number | null) =>
    has(word) || (sinceMs !== null && without(word) < policy.triggers.confirmations);
  const isCalibrating = isThere('CAL', upsHistory.calibrationMs);
  const isFresh = outage.outageMs === atMs && upsHistory.outageMs === null;
  const chargesBefore = isFresh ? emptyLog : upsHistory.charges;
  const charge = progressed(upsHistory.charge, observed.chargePercent, askedMs, atMs);
  const isDoubted =
    (fellFar.charge(charge) || crossedFar('charge', charge, triggers.lowBatteryPercent)) &&
    !isConfirmed(charge, holds(variables, policy.holds, triggers).value);
  const runtime = progressed(upsHistory.runtime, observed.runtimeSeconds, askedMs, atMs);
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
    (fellFar.charge(jump) || jump.before === null) &&
    (charge.value ?? 100) < jump.value;
  const read =
    onBattery && !isSame(runtime, upsHistory.runtime) ? { ...chargesBefore, runtimeMs: atMs } : chargesBefore;
  const known =
    onBattery && isFollowed && read.list.at(-1)?.percent !== jump.value
      ? logged(read, { atMs: jump.changedMs, percent: jump.value ?? 0 }, span)
      : read;
  const percent = isDoubted ? null : observed.chargePercent;
  const charges = onBattery && percent !== null ? logged(known, { atMs, percent }, span) : known;
  const since = (isShown: boolean, before: number | null) => (isShown ? (before ?? atMs) : null);
  return {
    last: observed,
    onBattery: onBattery || (!onLine && outage.outageMs !== null && upsHistory.onBattery),
    outageMs: outage.outageMs,
    bypass: outage.outageMs === null ? null : bypass,
    given: givenAfter(upsHistory.given, observed, onBattery ? 1 : onLine ? -0.1 : 0),
    endedOutage: outage.endedOutage,
    lineReadings,
    batteryReadings: onBattery ? upsHistory.batteryReadings + 1 : 0,
    batteryMs: since(onBattery, upsHistory.batteryMs),
    lowFlagMs: since(onBattery && has('LB'), upsHistory.lowFlagMs),
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
    alwaysOff,
    fsd: fsdAfter(upsHistory.fsd, has('FSD'), observed),
    failedPolls: isSilence ? upsHistory.failedPolls : 0,
    hardFailures: isSilence ? upsHistory.hardFailures : 0,
    onlyStale: isSilence ? 'no' : 'yes',
    lastReportMs: isSilence ? upsHistory.lastReportMs : watchedMs,
  };
}

/** "After 60 s of BYPASS with an input voltage above half of nominal, or none shown": the worlds show the nominal voltage with it. */
function bypassAfter(
  { bypass }: UpsHistory,
  { atMs, inBypass }: Observed,
  volts: number | null,
  nominalVolts: number | null,
): UpsHistory['bypass'] {
  if (!inBypass) return null;
  const isDead = volts !== null && volts <= (nominalVolts ?? 0) / 2;
  return { sinceMs: bypass?.sinceMs ?? atMs, mainsMs: isDead ? null : (bypass?.mainsMs ?? atMs) };
}

function isBypassOver(bypass: UpsHistory['bypass'], endMs: number, atMs: number): boolean {
  const mainsMs = bypass?.mainsMs ?? null;
  return endMs > 0 && mainsMs !== null && atMs - mainsMs >= endMs;
}

function firstAfter(before: UpsHistory['first'], observed: Observed): UpsHistory['first'] {
  if (!observed.onBattery) return before;
  return {
    charge: before.charge ?? observed.chargePercent,
    runtime: before.runtime ?? observed.runtimeSeconds,
  };
}

function outageAfter(
  { outageMs: startedMs, bypass, endedOutage }: UpsHistory,
  { atMs, onBattery, inBypass }: Observed,
  isStable: boolean,
): Pick<UpsHistory, 'outageMs' | 'endedOutage'> {
  // The clock stands in bypass: it goes on later by the stay.
  const stoodMs = bypass !== null && (!inBypass || isStable) ? atMs - bypass.sinceMs : 0;
  const outageMs = startedMs === null ? null : startedMs + stoodMs;
  if (outageMs !== null) {
    return isStable
      ? { outageMs: null, endedOutage: { startedMs: outageMs, endedMs: atMs } }
      : { outageMs, endedOutage };
  }
  if (!onBattery) return { outageMs, endedOutage };
  const resumes = endedOutage !== null && atMs - endedOutage.endedMs <= resumeMs;
  const onLineMs = endedOutage === null ? 0 : atMs - endedOutage.endedMs;
  return { outageMs: resumes ? endedOutage.startedMs + onLineMs : atMs, endedOutage };
}

/** Time on battery at `atMs`; 0 without an outage. */
export function onBatteryMs({ outageMs, bypass }: UpsHistory, atMs: number): number {
  return outageMs === null ? 0 : (bypass?.sinceMs ?? atMs) - outageMs;
}

/** "Latched FSD": there in the first reading of the boot, with OL and without OB. */
function fsdAfter(
  before: UpsHistory['fsd'],
  isShown: boolean,
  { onLine, onBattery }: Observed,
): UpsHistory['fsd'] {
  if (before === 'acting') return !isShown && onLine ? 'absent' : 'acting';
  if (!isShown) return 'absent';
  if (before === 'unread') return onLine ? 'latched' : 'acting';
  return before === 'latched' && !onBattery ? 'latched' : 'acting';
}
