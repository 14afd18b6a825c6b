// Follows battery tests, those of the daemon and those of the device, from reading to reading. Pure.
import type { EventType } from '../../../shared/domain/status/events.js';
import type { Instant } from '../../../shared/domain/base/instant.js';
import type { SelfTestRecord, SelfTestResult } from '../../../shared/domain/ups/self-test.js';
import { isVerdict, notStarted, selfTestResultOf } from '../../../shared/domain/ups/self-test.js';
import type { DeviceReport, RunningTest, UpsTests } from './state.js';
import { runningOf } from './state.js';

/** A driver that reads its device seldom shows the result minutes after the test. */
const resultLimitMs = 15 * 60_000;
/** A word that stays longer than the longest calibration is a firmware bug. */
const longestTestMs = 4 * 60 * 60_000;
/** One minute before policy counts the test as an outage (policy/trigger/inhibits.ts). */
const stopAfterMs = 14 * 60_000;
/** As long as policy holds triggers for a test (policy/trigger/inhibits.ts). */
const longestHoldMs = 15 * 60_000;
/** A test that takes this many points above the low-battery threshold ends: the charge that is left is for an outage. */
const marginPercent = 10;
/** Between two tries to stop it: an answer was lost, or the poller is being started. */
const stopAgainMs = 10_000;
/** A result this late still belongs to the test of the daemon that ended without one. */
const lateResultSeconds = 3_600;
/** A device whose text changes with every reading must not fill the history. */
const shortestIntervalSeconds = 60;

export interface Observation {
  readonly at: Instant;
  readonly words: readonly string[];
  readonly report: DeviceReport | null;
  readonly chargePercent: number | null;
  readonly lowBatteryThreshold: number;
  readonly isOnBattery: boolean;
  /** On battery, and neither a test nor a calibration explains it. */
  readonly isOutage: boolean;
  /** The input voltage, null while unknown, shows that the line is dead. */
  readonly isLineDead: boolean;
  /** `self_test.result_poll_after`. */
  readonly resultAfterMs: number;
}

export type TestEffect =
  | { readonly kind: 'keep'; readonly record: SelfTestRecord }
  | { readonly kind: 'record'; readonly type: EventType; readonly detail: string }
  | { readonly kind: 'hold'; readonly running: boolean }
  | { readonly kind: 'stop'; readonly why: string };

export interface TestStep {
  readonly tests: UpsTests;
  readonly effects: readonly TestEffect[];
}

/** After a good reading. */
export function testsAfter(tests: UpsTests, now: Observation): TestStep {
  const outageMs = now.isOutage ? now.at.monotonicMs : tests.outageMs;
  const { raw, date } = now.report ?? tests.seen ?? { raw: '', date: null };
  const seen = { raw, date };
  const isTesting = now.words.includes('TEST') || selfTestResultOf(now.report?.raw ?? '') === 'RUNNING';
  const before = outageMs === tests.outageMs ? tests : { ...tests, outageMs };
  const after = (step: TestStep): TestStep => ({
    ...step,
    tests: { ...step.tests, seen: { ...seen, isTesting } },
  });
  if (before.running !== null) return after(ownOrSeen(before, before.running, now, isTesting));
  if (isTesting && tests.seen?.isTesting !== true) return after(beganByItself(before, now, seen));
  return isNew(before, now) ? after(takeReport(before, now, seen)) : waiting(before, seen, isTesting);
}

/** Nothing has happened: usually the same value. */
function waiting(tests: UpsTests, seen: DeviceReport, isTesting: boolean): TestStep {
  const before = tests.seen;
  if (before !== null && !isChanged(seen, before) && before.isTesting === isTesting)
    return { tests, effects: [] };
  return { tests: { ...tests, seen: { ...seen, isTesting } }, effects: [] };
}

/** A test of the daemon begins: `record` is its row. */
export function begun(tests: UpsTests, record: SelfTestRecord, startedMs: number): UpsTests {
  return { ...tests, running: runningOf(record, startedMs, { isHeld: true }) };
}

/** A test that an earlier daemon began. One of long ago explains no outage: the host went down in it. */
export function resumedTest(record: SelfTestRecord, startedMs: number, nowMs: number): RunningTest {
  const isHeld = record.source !== 'device' && nowMs - startedMs < longestHoldMs;
  return runningOf(record, startedMs, { isHeld });
}

/** The test ends without a result of the device: it was refused, or no reading shows it. */
export function endedWithout(
  tests: UpsTests,
  result: SelfTestResult,
  why: string,
  nowSeconds: number,
): TestStep {
  const { running } = tests;
  if (running === null) return { tests, effects: [] };
  return endTest(tests, running, result, { raw: why, date: tests.seen?.date ?? null }, nowSeconds);
}

/** Its stop got no answer: it is tried again. */
export function notStopped(tests: UpsTests, nowMs: number): UpsTests {
  const { running } = tests;
  return running === null ? tests : { ...tests, running: { ...running, stopAtMs: nowMs + stopAgainMs } };
}

function ownOrSeen(tests: UpsTests, running: RunningTest, now: Observation, isTesting: boolean): TestStep {
  const { record } = running;
  const ageMs = now.at.monotonicMs - running.startedMs;
  const hasWord = now.words.includes('TEST');
  const differs = now.report !== null && isChanged(now.report, record);
  const isSeen = running.isSeen || isTesting || now.isOnBattery || differs;
  const isWordSeen = running.isWordSeen || hasWord;
  const isExpected = hasWord || (!isWordSeen && ageMs < now.resultAfterMs);
  const isHeld = running.isHeld && isExpected && !now.isLineDead;
  const next: RunningTest = { ...running, isSeen, isWordSeen, isHeld };
  const released: TestEffect[] = running.isHeld && !isHeld ? [{ kind: 'hold', running: false }] : [];
  const over = resultNow(next, now, { ageMs, isTesting, differs });
  if (over !== null) {
    const report = now.report ?? { raw: '', date: null };
    const step = endTest({ ...tests, running: next }, next, over, report, now.at.unixSeconds);
    return { ...step, effects: [...released, ...step.effects] };
  }
  const mayStop = record.source !== 'device' && now.at.monotonicMs >= next.stopAtMs;
  const why = mayStop ? whyStop(now, ageMs) : null;
  const stop: TestEffect[] = why === null ? [] : [{ kind: 'stop', why }];
  const stopAtMs = why === null ? next.stopAtMs : Infinity;
  return { tests: { ...tests, running: { ...next, stopAtMs } }, effects: [...released, ...stop] };
}

interface Progress {
  readonly ageMs: number;
  readonly isTesting: boolean;
  readonly differs: boolean;
}

/** The result when the test is over, null while it runs or its result may still come. */
function resultNow(
  running: RunningTest,
  now: Observation,
  { ageMs, isTesting, differs }: Progress,
): SelfTestResult | null {
  if (isTesting || now.isOnBattery) return ageMs < longestTestMs ? null : 'UNKNOWN';
  const result = selfTestResultOf(now.report?.raw ?? '');
  const isKnown = isVerdict(result);
  if (differs && isKnown) return result;
  if (ageMs < now.resultAfterMs) return null;
  if (running.isSeen && (isKnown || differs)) return result;
  // No reading shows the test. A text from before it says nothing, except that the battery has failed before.
  const isOver = now.report === null || running.isDoubtful || ageMs >= now.resultAfterMs + resultLimitMs;
  if (!isOver) return null;
  return result === 'FAILED' ? 'FAILED' : 'UNKNOWN';
}

function whyStop({ isOnBattery, words, ...now }: Observation, ageMs: number): string | null {
  if (!isOnBattery) return null;
  if (ageMs >= stopAfterMs) return 'it has been on battery for 14 min';
  if (words.includes('LB')) return 'the UPS reports a low battery';
  if (words.includes('OVER')) return 'the UPS is overloaded';
  const { chargePercent, lowBatteryThreshold } = now;
  if (chargePercent === null || chargePercent >= lowBatteryThreshold + marginPercent) return null;
  return `the charge has fallen to ${String(Math.round(chargePercent))} %`;
}

/** The device tests itself. */
function beganByItself(tests: UpsTests, now: Observation, { raw, date }: DeviceReport): TestStep {
  const startedTs = Math.floor(now.at.unixSeconds);
  const record = { ...byDevice, startedTs, endedTs: null, result: 'RUNNING', raw, date } as const;
  const isWordSeen = now.words.includes('TEST');
  const running = runningOf(record, now.at.monotonicMs, { isSeen: true, isWordSeen });
  const detail = 'the UPS tests its battery by itself';
  return {
    tests: { ...tests, running },
    effects: [
      { kind: 'keep', record },
      { kind: 'record', type: 'SELF_TEST_STARTED', detail },
    ],
  };
}

const byDevice = { command: null, source: 'device' } as const;

/** The device reports the result of a test that no reading has shown. */
function isNew({ seen, last }: UpsTests, { at, report }: Observation): boolean {
  if (report === null) return false;
  const result = selfTestResultOf(report.raw);
  if (!isVerdict(result)) return false;
  // The clock may have been set back.
  const age = last === null ? Infinity : Math.abs(at.unixSeconds - last.startedTs);
  if (age < shortestIntervalSeconds) return false;
  return isChanged(report, seen ?? last ?? { raw: '', date: null });
}

function isChanged(a: DeviceReport, b: DeviceReport): boolean {
  return a.raw !== b.raw || a.date !== b.date;
}

function takeReport(tests: UpsTests, now: Observation, { raw, date }: DeviceReport): TestStep {
  const at = Math.floor(now.at.unixSeconds);
  const result = selfTestResultOf(raw);
  const { last } = tests;
  const isLate =
    last !== null &&
    last.source !== 'device' &&
    last.result === 'UNKNOWN' &&
    !last.raw.startsWith(notStarted) &&
    Math.abs(at - (last.endedTs ?? 0)) < lateResultSeconds;
  const record: SelfTestRecord = isLate
    ? { ...last, result, raw, date }
    : { ...byDevice, startedTs: at, endedTs: at, result, raw, date };
  const { effects, ...step } = conclude(tests, record);
  // The result that a new database finds is old.
  const isFirst = tests.seen === null && last === null;
  return { ...step, effects: effects.filter(({ kind }) => kind === 'keep' || !isFirst) };
}

function endTest(
  tests: UpsTests,
  { record, isHeld }: RunningTest,
  result: SelfTestResult,
  { raw, date }: DeviceReport,
  nowSeconds: number,
): TestStep {
  // A clock set back during the test must not end it before it began.
  const endedTs = Math.max(record.startedTs, Math.floor(nowSeconds));
  const step = conclude({ ...tests, running: null }, { ...record, endedTs, result, raw, date });
  const release: TestEffect[] = isHeld ? [{ kind: 'hold', running: false }] : [];
  return { ...step, effects: [...release, ...step.effects] };
}

const advices = {
  PASSED: '',
  WARNING: '; the schedule goes on; watch the next results and the score of the battery',
  FAILED: '; replace the battery soon: it may not carry the load in an outage',
} as const;

function conclude(tests: UpsTests, record: SelfTestRecord): TestStep {
  const { result, raw, command, source } = record;
  const what = command ?? 'test by the UPS itself';
  const origin = source === 'scheduler' ? ' by the schedule' : '';
  const event: TestEffect[] = isVerdict(result)
    ? [{ kind: 'record', type: `SELF_TEST_${result}`, detail: `${what}${origin}: ${raw}${advices[result]}` }]
    : [];
  return {
    tests: { ...tests, last: record, verdict: isVerdict(result) ? record : tests.verdict },
    effects: [{ kind: 'keep', record }, ...event],
  };
}
