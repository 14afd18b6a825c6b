// The battery tests of one UPS, as data: the test under way, the last one, and what the device reports.
import type { SelfTest, SelfTestRecord } from '../../../shared/domain/ups/self-test.js';
import { maxTestText, selfTestResultOf } from '../../../shared/domain/ups/self-test.js';
import type { Variables } from '../../../shared/domain/ups/reading.js';

/** What the device says of its last test. */
export interface DeviceReport {
  readonly raw: string;
  readonly date: string | null;
}

export interface RunningTest {
  readonly record: SelfTestRecord;
  readonly startedMs: number;
  /** Policy holds the triggers for it. */
  readonly isHeld: boolean;
  /** The status had TEST. */
  readonly isWordSeen: boolean;
  /** A reading showed the test: TEST, on battery, or another text of the device. */
  readonly isSeen: boolean;
  /** The command got no answer, so that it may not have arrived. */
  readonly isDoubtful: boolean;
  /** When it may be stopped (monotonic); Infinity: a stop is under way or was accepted. */
  readonly stopAtMs: number;
}

export interface UpsTests {
  readonly running: RunningTest | null;
  /** The newest test that has ended. */
  readonly last: SelfTestRecord | null;
  /** The newest that passed or failed. */
  readonly verdict: SelfTestRecord | null;
  /** Of the last reading; null before one. */
  readonly seen: (DeviceReport & { readonly isTesting: boolean }) | null;
  /** When the UPS was last in an outage (monotonic ms). */
  readonly outageMs: number | null;
}

export const noTests: UpsTests = { running: null, last: null, verdict: null, seen: null, outageMs: null };

/** Null where the driver reports no tests. */
export function reportOf(variables: Variables): DeviceReport | null {
  const raw = variables['ups.test.result'];
  if (raw === undefined || raw === '') return null;
  const date = variables['ups.test.date'];
  return { raw: raw.slice(0, maxTestText), date: date?.slice(0, maxTestText) ?? null };
}

/** The test as the API shows it; null while unknown. */
export function shownTest({ running, last, seen }: UpsTests): SelfTest | null {
  const record = running?.record ?? last;
  if (record !== null) {
    const { result, raw, date, startedTs, command, source } = record;
    return { result, raw, date, startedTs, command, source };
  }
  if (seen === null || seen.raw === '') return null;
  const { raw, date } = seen;
  return { result: selfTestResultOf(raw), raw, date, startedTs: null, command: null, source: 'device' };
}

export function runningOf(
  record: SelfTestRecord,
  startedMs: number,
  rest: Partial<RunningTest> = {},
): RunningTest {
  const fresh = { isHeld: false, isWordSeen: false, isSeen: false, isDoubtful: false, stopAtMs: 0 };
  return { record, startedMs, ...fresh, ...rest };
}
