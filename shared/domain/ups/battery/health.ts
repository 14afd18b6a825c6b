// The condition of a battery as the daemon assesses it, and the settings of [battery_health]. Codecs only.
import * as t from 'io-ts';
import { finite, integerFrom, numberFrom, oneOf, orNull, textUpTo } from '../../base/units.js';

export const termNames = ['capacity', 'runtime', 'selfTest', 'anomalies', 'age'] as const;
export type TermName = (typeof termNames)[number];

/** One part of the score. `value` is 0 to 100, null while not available; at 50 the battery is due by this term. */
export const BatteryTerm = t.readonly(
  t.type({
    available: t.boolean,
    weight: finite,
    value: orNull(finite),
    /** What was measured, or what is missing; for people. */
    detail: textUpTo(300),
  }),
  'BatteryTerm',
);
export type BatteryTerm = t.TypeOf<typeof BatteryTerm>;

const isoDate = textUpTo(10);

/** `date` is the most probable one; 90 % of the time it is between the other two. `latest` null: no bound is known. */
export const BatteryReplacement = t.readonly(
  t.type({
    /** `unknown`: the history is too short or the score is unknown; `none`: not within ten years as it goes now. */
    state: oneOf('unknown', 'none', 'predicted', 'due'),
    date: orNull(isoDate),
    earliest: orNull(isoDate),
    latest: orNull(isoDate),
    /** The score at which it is due. */
    thresholdScore: finite,
  }),
  'BatteryReplacement',
);
export type BatteryReplacement = t.TypeOf<typeof BatteryReplacement>;

/** From full to empty at `loadPercent`, from the discharges of this battery; 90 % of the time within `errorSeconds`. */
export const RuntimeEstimate = t.readonly(
  t.type({ fullSeconds: finite, errorSeconds: finite, loadPercent: finite, discharges: finite }),
  'RuntimeEstimate',
);
export type RuntimeEstimate = t.TypeOf<typeof RuntimeEstimate>;

export const BatteryHealth = t.readonly(
  t.type({
    /** 0 to 100; null below a confidence of 0.30. */
    score: orNull(finite),
    /** The weight of the available terms, 0 to 1. */
    confidence: finite,
    availableTerms: t.readonlyArray(textUpTo(32)),
    terms: t.type({
      capacity: BatteryTerm,
      runtime: BatteryTerm,
      selfTest: BatteryTerm,
      anomalies: BatteryTerm,
      age: BatteryTerm,
    }),
    /** Configured, else learned, at the load that is usual now. */
    nominalRuntimeSeconds: orNull(finite),
    installDate: orNull(isoDate),
    ageYears: orNull(finite),
    /** At least 1; null without a prediction, and while it is due now. */
    replacementDaysRemaining: orNull(finite),
    /** The score is below `threshold_score`, or is predicted to be within `horizon_days`. */
    replacementDue: t.boolean,
    replacement: BatteryReplacement,
    runtimeEstimate: orNull(RuntimeEstimate),
    /** A battery that was replaced begins a new series. Unix seconds. */
    series: t.readonly(t.type({ number: finite, since: finite })),
    /** Unix seconds of the reading it was assessed with. */
    ts: finite,
  }),
  'BatteryHealth',
);
export type BatteryHealth = t.TypeOf<typeof BatteryHealth>;

/** The settings of one UPS; what they mean is in docs/specification/storage.md#battery-health. */
export const BatterySettings = t.readonly(
  t.type({
    groupId: textUpTo(256),
    /** This host loses its power with the UPS, or with the group it is in. */
    feedsHost: t.boolean,
    updateIntervalSeconds: numberFrom(1, 7 * 86_400),
    /** 0: learned. */
    nominalRuntimeSeconds: numberFrom(0, 30 * 86_400),
    /** YYYY-MM-DD; empty: as the UPS reports it. */
    installDate: isoDate,
    expectedLifeYears: numberFrom(0.5, 50),
    warnScore: numberFrom(0, 100),
    criticalScore: numberFrom(0, 100),
    thresholdScore: numberFrom(0, 100),
    horizonDays: integerFrom(1, 3650),
    minHistoryDays: integerFrom(1, 3650),
  }),
  'BatterySettings',
);
export type BatterySettings = t.TypeOf<typeof BatterySettings>;
