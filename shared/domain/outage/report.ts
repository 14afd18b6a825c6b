// A report: what a day, a week or a month was like (specification/reports.md).
import * as t from 'io-ts';
import { PeriodName } from '../base/local-calendar.js';
import { OutageCause } from './outage.js';
import { SelfTestResult } from '../ups/self-test.js';
import { RemoteStatus } from '../status/states.js';
import { finite, oneOf, orNull } from '../base/units.js';

/** A value and when it was measured: the begin of an hour, or of five minutes. */
const Extreme = t.readonly(t.type({ value: finite, ts: finite }));

/** An hour of a day, a day of a week or month. Null where nothing is known. */
export const ReportStep = t.readonly(
  t.type({ ts: finite, label: t.string, kwh: orNull(finite), load: orNull(finite) }),
  'ReportStep',
);
export type ReportStep = t.TypeOf<typeof ReportStep>;

/** Times in seconds. `watched` is the part of the period since the UPS was first read: `read` and `unseen` together. */
export const UpsReport = t.readonly(
  t.type({
    ups: t.string,
    label: t.string,
    source: t.string,
    watchedSeconds: finite,
    readSeconds: finite,
    unseenSeconds: finite,
    onBatterySeconds: finite,
    testSeconds: finite,
    outages: finite,
    lowestVolts: orNull(Extreme),
    highestVolts: orNull(Extreme),
    lowestCharge: orNull(Extreme),
    meanLoad: orNull(finite),
    highestLoad: orNull(Extreme),
    energyKwh: orNull(finite),
    cost: orNull(finite),
    energyEstimated: t.boolean,
    powerFactor: orNull(finite),
    energyPartial: t.boolean,
    tests: t.type({ passed: finite, failed: finite, other: finite }),
    /** As it is when the report is written; null while the UPS is not configured. */
    battery: orNull(t.type({ score: orNull(finite), replacementDue: t.boolean })),
    steps: t.readonlyArray(ReportStep),
  }),
  'UpsReport',
);
export type UpsReport = t.TypeOf<typeof UpsReport>;

export const Report = t.readonly(
  t.type({
    generatedAt: finite,
    period: PeriodName,
    /** Unix seconds, `to` excluded. */
    from: finite,
    to: finite,
    /** In the local time of the daemon. */
    title: t.string,
    isOver: t.boolean,
    /** Local dates in the periods before and after; null while that has not begun. */
    before: t.string,
    after: orNull(t.string),
    currency: t.string,
    energyKwh: orNull(finite),
    cost: orNull(finite),
    ups: t.readonlyArray(UpsReport),
    /** The newest 100, oldest first. */
    outages: t.readonlyArray(
      t.type({
        id: finite,
        label: t.string,
        cause: OutageCause,
        start: finite,
        end: orNull(finite),
        durationSeconds: orNull(finite),
        durationUncertain: t.boolean,
        lowestCharge: orNull(finite),
        shutdowns: t.readonlyArray(t.string),
      }),
    ),
    /** The newest 100, oldest first. */
    tests: t.readonlyArray(
      t.type({
        label: t.string,
        startedTs: finite,
        result: SelfTestResult,
        raw: t.string,
        source: oneOf('device', 'scheduler', 'api'),
      }),
    ),
    /** Remote servers that are neither healthy nor disabled when the report is written. */
    targets: t.readonlyArray(
      t.type({ server: t.string, group: t.string, status: RemoteStatus, lastError: t.string }),
    ),
  }),
  'Report',
);
export type Report = t.TypeOf<typeof Report>;
