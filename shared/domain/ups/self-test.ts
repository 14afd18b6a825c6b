// Battery tests: results, what devices call them, and the record of one test.
import * as t from 'io-ts';
import { finite, oneOf, orNull, textUpTo } from '../base/units.js';

export const SelfTestResult = oneOf('PASSED', 'WARNING', 'FAILED', 'RUNNING', 'UNKNOWN', 'UNSUPPORTED');
export type SelfTestResult = t.TypeOf<typeof SelfTestResult>;

/** Longest text of a device; NUT's own limit is below. */
export const maxTestText = 256;
const text = textUpTo(maxTestText);

/** Begins the text of a test that did not start; with the result UNKNOWN its date of the schedule is still due. */
export const notStarted = 'not started: ';

/** The last test of a UPS, as the API shows it. */
export const SelfTest = t.readonly(
  t.type({
    result: SelfTestResult,
    /** `ups.test.result` as the device reports it, or why the test has no result. */
    raw: text,
    /** `ups.test.date` as the device reports it. */
    date: orNull(text),
    /** Null when the device tested itself before the daemon saw it. */
    startedTs: orNull(finite),
    command: orNull(text),
    source: oneOf('device', 'scheduler', 'api'),
  }),
  'SelfTest',
);
export type SelfTest = t.TypeOf<typeof SelfTest>;

/** One test in the history. A running one has no `endedTs`; its `raw` and `date` are those of the previous test. */
export const SelfTestRecord = t.readonly(
  t.type({
    startedTs: finite,
    endedTs: orNull(finite),
    command: orNull(text),
    source: oneOf('device', 'scheduler', 'api'),
    result: SelfTestResult,
    raw: text,
    date: orNull(text),
  }),
  'SelfTestRecord',
);
export type SelfTestRecord = t.TypeOf<typeof SelfTestRecord>;

/** The texts of NUT's drivers and of the devices behind them. The first match wins; other texts are UNKNOWN. */
const wordings: readonly (readonly [RegExp, SelfTestResult])[] = [
  [/not supported|unsupported/, 'UNSUPPORTED'],
  [/in progress|\brunning\b|test ?in ?progress|^testing\b|^ip$/, 'RUNNING'],
  // No test, one that did not finish, or one that the device calls invalid (APC: NG).
  [/no test|not yet|never|scheduled|abort|cancel|interrupt|invalid|inconclusive|^(?:ng|no|none)$/, 'UNKNOWN'],
  [/fail|error|\bbad\b|replace|not ok|not passed|^bt$/, 'FAILED'],
  // Done as expected, with a remark that no device explains (networkupstools/nut#2008).
  [/warning|^wn$/, 'WARNING'],
  [/\bpass(?:ed)?\b|\bok\b|\bgood\b|success/, 'PASSED'],
];

export function selfTestResultOf(raw: string): SelfTestResult {
  const words = raw.trim().toLowerCase();
  return wordings.find(([wording]) => wording.test(words))?.[1] ?? 'UNKNOWN';
}

/** The last result that says something of the battery, and when the test ended (Unix seconds). */
export interface Verdict {
  readonly result: 'PASSED' | 'WARNING' | 'FAILED';
  readonly at: number;
}

export function isVerdict(result: SelfTestResult): result is Verdict['result'] {
  return result === 'PASSED' || result === 'WARNING' || result === 'FAILED';
}
