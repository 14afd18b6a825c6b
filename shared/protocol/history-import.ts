// Requests to the storage worker for history of other programs (specification/storage.md#import). The unit is a bucket: it is
// stored whole, and only where the history of its UPS has nothing yet, so a repeated request adds nothing.
import * as t from 'io-ts';
import { categoryOf, eventTypes } from '../domain/status/events.js';
import { metrics } from '../domain/status/metrics.js';
import { OutageCause } from '../domain/outage/outage.js';
import { count, integerFrom, numberFrom, oneOf, orNull, textUpTo } from '../domain/base/units.js';
import type { Call } from './contract.js';

/** Seconds of a bucket of each tier. */
export const importedBucketSeconds = { raw: 300, five_minute: 300, hourly: 3600 } as const;
export type ImportedTier = keyof typeof importedBucketSeconds;

/** Of one request: a commit of some 20 ms, and the body of the control socket's route has 256 KiB. */
export const maxImportedBuckets = 400;
export const maxImportedEvents = 200;
/** Readings of a bucket: one a second. */
const maxRows = 300;
/** More readings than an hour has at ten a second. */
const maxReadings = 36_000;

/** Whole Unix seconds up to the year 9999. */
const second = integerFrom(0, 253_402_300_799);
/** Above every quantity of a UPS. */
const quantity = numberFrom(-1e10, 1e10);
const name = textUpTo(256);

export const ImportSource = oneOf('upslog', 'eneru');
export type ImportSource = t.TypeOf<typeof ImportSource>;

/** Seconds since the start of the bucket, then one value for each metric. */
const ReadingRow = t.refinement(
  t.readonlyArray(orNull(quantity)),
  ([offset, ...values]) =>
    integerFrom(0, importedBucketSeconds.raw - 1).is(offset) && values.length === metrics.length,
  `seconds and ${String(metrics.length)} values`,
);
/** Metric, number of readings, mean, lowest and highest value. */
const MeanRow = t.refinement(
  t.readonlyArray(quantity),
  ([metric, readings, mean = NaN, low = NaN, high = NaN, ...more]) =>
    integerFrom(0, metrics.length - 1).is(metric) &&
    integerFrom(1, maxReadings).is(readings) &&
    low <= mean &&
    mean <= high &&
    more.length === 0,
  'metric, readings, mean, lowest and highest value',
);

const bucket = <T extends ImportedTier, R extends t.Mixed>(tier: T, row: R) =>
  t.type({
    tier: t.literal(tier),
    at: t.refinement(second, (at) => at % importedBucketSeconds[tier] === 0, 'the start of a bucket'),
    rows: listUpTo(row, tier === 'raw' ? maxRows : metrics.length),
  });

export const ImportedBucket = t.readonly(
  t.union([bucket('raw', ReadingRow), bucket('five_minute', MeanRow), bucket('hourly', MeanRow)]),
  'ImportedBucket',
);
export type ImportedBucket = t.TypeOf<typeof ImportedBucket>;

/** What another program may have seen of a UPS. Never a row of audit, shutdown or the daemon itself. */
const importable = eventTypes.filter((type) => ['power_event', 'diagnostics'].includes(categoryOf(type)));
const [first = 'ON_BATTERY', ...others] = importable;
export const ImportedEventType = oneOf(first, ...others);
export type ImportedEventType = t.TypeOf<typeof ImportedEventType>;

export const ImportedEvent = t.readonly(
  t.type({ at: second, type: ImportedEventType, detail: textUpTo(1024) }),
  'ImportedEvent',
);
export type ImportedEvent = t.TypeOf<typeof ImportedEvent>;

export const ImportedOutage = t.readonly(
  t.refinement(
    t.type({
      started: second,
      ended: second,
      /** False: the return of power was not seen, and `ended` is the last reading on battery. */
      endSeen: t.boolean,
      cause: OutageCause,
      interruptions: integerFrom(0, 100_000),
      lowestCharge: orNull(quantity),
      lowestRuntimeSeconds: orNull(quantity),
    }),
    ({ started, ended }) => started <= ended,
    'an outage that ends after it begins',
  ),
  'ImportedOutage',
);
export type ImportedOutage = t.TypeOf<typeof ImportedOutage>;

export const ImportBatch = t.readonly(
  t.type({
    groupId: name,
    source: ImportSource,
    /** Counts what would be added. */
    isDryRun: t.boolean,
    buckets: listUpTo(ImportedBucket, maxImportedBuckets),
    events: listUpTo(ImportedEvent, maxImportedEvents),
    outages: listUpTo(ImportedOutage, maxImportedEvents),
  }),
  'ImportBatch',
);
export type ImportBatch = t.TypeOf<typeof ImportBatch>;

/** What was added: readings, means and rows. `present`: buckets, events and outages that the history has already. */
export const ImportResult = t.type(
  {
    readings: count,
    fiveMinute: count,
    hourly: count,
    events: count,
    outages: count,
    present: count,
    /** In the future, or above the bounds of imported events and outages. */
    refused: count,
  },
  'ImportResult',
);
export type ImportResult = t.TypeOf<typeof ImportResult>;

export const importRequests = {
  /** One transaction. Buckets, events and outages that the history of the UPS has are left as they are. */
  'history.import': { params: ImportBatch, result: ImportResult },
} as const satisfies Readonly<Record<string, Call>>;

function listUpTo<C extends t.Mixed>(codec: C, max: number): t.Type<readonly t.TypeOf<C>[]> {
  return t.refinement(t.readonlyArray(codec), (items) => items.length <= max, `at most ${String(max)} items`);
}
