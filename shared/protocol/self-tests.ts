// The requests about battery tests to the storage worker.
import * as t from 'io-ts';
import { SelfTestRecord } from '../domain/ups/self-test.js';
import { finite, orNull, textUpTo } from '../domain/base/units.js';
import { nothing } from './contract.js';

/** Rows of one request; more than any installation has UPSes. */
export const maxTestRows = 4_000;

const name = textUpTo(256);

/** A test of one UPS; UPS and start are its key. */
export const SelfTestRow = t.readonly(t.type({ groupId: name, test: SelfTestRecord }), 'SelfTestRow');
export type SelfTestRow = t.TypeOf<typeof SelfTestRow>;

/** The schedule as text, "" without one. */
const TestSchedule = t.readonly(t.type({ groupId: name, schedule: textUpTo(64) }), 'TestSchedule');
export type TestSchedule = t.TypeOf<typeof TestSchedule>;

export const RecalledTests = t.readonly(
  t.type({
    groupId: name,
    /** A test that had not ended when its daemon did. */
    running: orNull(SelfTestRecord),
    last: orNull(SelfTestRecord),
    verdict: orNull(SelfTestRecord),
    /** The start of the last test by the schedule. */
    scheduledTs: orNull(finite),
    /** Since when the schedule has been in effect. */
    sinceTs: finite,
    /** The last outage of the past hour. */
    outageTs: orNull(finite),
  }),
  'RecalledTests',
);
export type RecalledTests = t.TypeOf<typeof RecalledTests>;

function rows<A>(codec: t.Type<A>): t.Type<readonly A[]> {
  return t.refinement(t.readonlyArray(codec), ({ length }) => length <= maxTestRows, 'not too many rows');
}

export const selfTestRequests = {
  /** Stores tests, each by UPS and start, also without statistics. */
  'selfTests.keep': { params: t.type({ tests: rows(SelfTestRow) }), result: nothing },
  'selfTests.recall': {
    params: t.type({ schedules: rows(TestSchedule), at: finite }),
    result: t.type({ ups: rows(RecalledTests) }),
  },
} as const;
