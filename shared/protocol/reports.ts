// The requests about reports: to the storage worker, which remembers what was sent, and to the API worker, which writes them.
import * as t from 'io-ts';
import { PeriodName } from '../domain/base/local-calendar.js';
import { maxHtmlLength, maxTextLength } from '../domain/services/notification.js';
import { integerFrom, orNull, textUpTo } from '../domain/base/units.js';
import { nothing } from './contract.js';
import { NotificationRecord } from './notification-records.js';

const seconds = integerFrom(0, Number.MAX_SAFE_INTEGER);

/** A report for the period that ended at `to` (Unix seconds) was sent, or none is due for it. */
export const ReportMark = t.readonly(t.type({ period: PeriodName, to: seconds }), 'ReportMark');
export type ReportMark = t.TypeOf<typeof ReportMark>;

const marks = t.refinement(t.array(ReportMark), ({ length }) => length <= 3, 'one of each period');

export const reportRequests = {
  /** The marks of the given kinds, which begin as given; all others are forgotten. */
  'reports.recall': { params: t.type({ marks }), result: t.type({ marks }) },
  /** Stores mark and message in one transaction; repeat it until it is answered. */
  'reports.keep': {
    params: t.type({ mark: ReportMark, record: orNull(NotificationRecord) }),
    result: nothing,
  },
} as const;

export const ComposedReport = t.type(
  { text: textUpTo(maxTextLength), html: textUpTo(maxHtmlLength) },
  'ComposedReport',
);
export type ComposedReport = t.TypeOf<typeof ComposedReport>;

export const composeRequests = {
  /** The report of the period that contains `at`, Unix seconds. Fails with a code of the history. */
  'report.compose': { params: t.type({ period: PeriodName, at: seconds }), result: ComposedReport },
} as const;
