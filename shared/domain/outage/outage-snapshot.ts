// The snapshot of an outage in the runtime directory: what survives a restart of the daemon on the same boot
// (specification/policy.md#restart-in-an-outage).
// Times in `Ms` are the monotonic clock: valid on the same boot only.
import * as t from 'io-ts';
import { RuntimeEstimate } from '../ups/battery/health.js';
import { Reading, Variables } from '../ups/reading.js';
import {
  AvrState,
  ConnectionDetail,
  MemberHealth,
  OnOffState,
  SequenceCause,
  TriggerName,
  VoltageState,
} from '../status/states.js';
import type { BatteryTriggerName } from '../triggers/table.js';
import { batteryTriggers, quantities } from '../triggers/table.js';
import { count, finite, oneOf, orNull, textUpTo } from '../base/units.js';

/** Raised when the meaning of a field changes; a snapshot of another version is not used. */
export const snapshotVersion = 4;

/** The reason of a decision; the longest names a member. */
const text = textUpTo(16_384);
const maybe = orNull(finite);
const record = <P extends t.Props>(props: P) => t.readonly(t.type(props));
const kind = <K extends string>(value: K) => record({ kind: t.literal(value) });

const ConnectionStatus = t.union([
  kind('unknown'),
  kind('ok'),
  record({ kind: t.literal('grace'), sinceWatchedMs: finite }),
  kind('failed'),
]);

/** A key that the program has got since the snapshot was written, or the entry of a table that has grown, has this value. */
const since = <C extends t.Mixed>(codec: C, before: t.TypeOf<C>): t.Type<t.TypeOf<C>> =>
  new t.Type<t.TypeOf<C>>(
    codec.name,
    (u): u is t.TypeOf<C> => codec.is(u),
    (u, context) => codec.validate(u ?? before, context),
    t.identity,
  );

const Connection = record({
  status: ConnectionStatus,
  detail: ConnectionDetail,
  failedPolls: count,
  onlyStale: t.boolean,
  flaps: record({ recoveriesMs: t.readonlyArray(finite), reported: t.boolean }),
});

const Seen = record({
  reading: Reading,
  source: oneOf('line', 'battery', 'bypass', 'off', 'neither'),
  monotonicMs: finite,
  askedMs: since(finite, 0),
  watchedMs: finite,
  unixSeconds: finite,
  refused: t.readonlyArray(record({ quantity: oneOf('charge', 'runtime'), why: text })),
});

const outageClock = { startedMs: finite, beganMs: maybe };

const high = t.readonlyArray(record({ value: finite, load: maybe, fellMs: maybe }));
const Highs = record({ before: high, now: high });

const Line = t.union([
  kind('unseen'),
  record({
    kind: t.literal('unknown'),
    sinceMs: finite,
    fall: record({
      stretchMs: finite,
      charge: Highs,
      runtime: Highs,
      chargeReadings: count,
      runtimeSinceMs: maybe,
    }),
  }),
  record({ kind: t.literal('mains'), ended: orNull(record({ ...outageClock, endedMs: finite })) }),
  record({
    kind: t.literal('outage'),
    clock: record(outageClock),
    lineReadings: count,
    onBattery: t.boolean,
    bypass: orNull(record({ sinceMs: finite, mainsSinceMs: maybe })),
    obReadings: orNull(count),
    lows: orNull(record({ charge: maybe, runtime: maybe, reachedMs: finite })),
  }),
]);

const BatteryTime = record({
  sumMs: finite,
  sinceMs: finite,
  use: oneOf('gives', 'charges', 'rests'),
  fullPercent: maybe,
  gauge: oneOf('unproven', 'falls', 'silent'),
  fullSinceMs: maybe,
});

const Fsd = t.union([
  kind('unseen'),
  kind('absent'),
  kind('latched'),
  record({ kind: t.literal('own'), sinceMs: finite }),
  record({ kind: t.literal('acting'), sinceUnixSeconds: finite }),
]);

const Sighting = record({ anyMs: maybe, batteryMs: maybe });
const never = { anyMs: null, batteryMs: null };
const ReportedQuantities = record(
  Object.fromEntries(quantities.map(({ name }) => [name, since(Sighting, never)])) as Readonly<
    Record<string, t.Type<{ readonly anyMs: number | null; readonly batteryMs: number | null }>>
  >,
);

/** Nothing contradicts OL. */
export const noDoubt = {
  highs: [],
  lastMs: null,
  hasVoltage: false,
  lowVoltageSinceMs: null,
  shown: 0,
  gone: 0,
  sinceMs: null,
  why: '',
  acts: false,
};

const Doubt = record({
  highs: t.readonlyArray(record({ atMs: finite, percent: finite })),
  lastMs: maybe,
  hasVoltage: t.boolean,
  lowVoltageSinceMs: maybe,
  shown: count,
  gone: count,
  sinceMs: maybe,
  why: text,
  acts: t.boolean,
});

const Gauge = record({ hasRead: t.boolean, zeroMs: maybe });

const course = record({ value: maybe, firstMs: maybe, sinceMs: maybe, before: maybe, untilMs: maybe });
const Shown = record({ charge: course, runtime: course, flagSinceMs: maybe });

const Reported = record({
  shownMs: record({
    BYPASS: maybe,
    OVER: maybe,
    RB: maybe,
    ALARM: maybe,
    OFF: maybe,
    ECO: maybe,
    CAL: maybe,
  }),
  firstRbMs: since(maybe, null),
  alarm: orNull(record({ text, reportedMs: finite })),
  unknown: t.readonlyArray(textUpTo(64)),
});

const countOrNone = since(count, 0);

/** By trigger. The fields are computed from the table, which the compiler cannot follow. */
const Confirmed = record(
  Object.fromEntries(batteryTriggers.map(({ name }) => [name, countOrNone])) as Readonly<
    Record<BatteryTriggerName, typeof countOrNone>
  >,
);

const Met = record({ trigger: TriggerName, why: text, sinceUnixSeconds: finite });

const Shutdown = t.union([
  kind('armed'),
  record({
    kind: t.literal('fired'),
    trigger: SequenceCause,
    why: text,
    sinceUnixSeconds: finite,
    outageOver: t.boolean,
    sequenceOver: t.boolean,
  }),
]);

export const UpsSnapshot = record({
  groupId: textUpTo(256),
  addedWatchedMs: finite,
  lastReport: record({ watchedMs: finite, waiting: t.boolean }),
  connection: Connection,
  readings: record({
    last: orNull(Seen),
    /** What the holds depend on; the other variables are only displayed. */
    variables: Variables,
    gauges: record({ charge: Gauge, runtime: Gauge }),
  }),
  line: Line,
  batteryTime: BatteryTime,
  fsd: Fsd,
  inhibits: record({
    testMs: maybe,
    calibrationMs: maybe,
    ownTestMs: maybe,
    calibrationLowMs: maybe,
    withoutTest: count,
    withoutCalibration: count,
  }),
  depletion: record({
    levels: t.readonlyArray(record({ atMs: finite, percent: finite })),
    rate: maybe,
    runtimeReadMs: maybe,
  }),
  doubt: Doubt,
  shown: Shown,
  transfer: record({
    charge: maybe,
    runtime: maybe,
    isContradictionReported: t.boolean,
    isFlagReported: t.boolean,
  }),
  confirmed: Confirmed,
  met: orNull(Met),
  conditions: record({
    avr: AvrState,
    bypass: OnOffState,
    overload: OnOffState,
    replaceBattery: t.boolean,
    lowBattery: t.boolean,
    offSinceMs: maybe,
    offOnLineAtFirst: orNull(t.boolean),
    firstOnLine: orNull(record({ hasOff: t.boolean, readings: count, sinceMs: finite })),
  }),
  reported: Reported,
  reportedQuantities: ReportedQuantities,
  estimate: orNull(RuntimeEstimate),
  voltage: record({
    reportedVolts: maybe,
    learned: t.readonlyArray(finite),
    nominalVolts: maybe,
    state: VoltageState,
    excursion: t.union([
      record({ side: oneOf('LOW', 'HIGH'), sinceMs: finite, reported: t.boolean }),
      t.null,
    ]),
    offLine: since(orNull(record({ highestVolts: maybe, lowestVolts: maybe, lineSinceMs: maybe })), null),
  }),
  phaseLoss: record({
    seen: t.readonlyArray(textUpTo(16)),
    missing: t.readonlyArray(record({ phase: textUpTo(16), sinceMs: finite, reported: t.boolean })),
  }),
  anomaly: record({
    highs: t.readonlyArray(record({ atMs: finite, percent: finite })),
    suspicion: orNull(record({ fromPercent: finite, atPercent: finite, polls: count })),
  }),
  slowPollReportedMs: maybe,
  shutdown: Shutdown,
});
export type UpsSnapshot = t.TypeOf<typeof UpsSnapshot>;

export const GroupSnapshot = record({
  groupId: textUpTo(256),
  members: t.readonlyArray(
    record({
      ups: textUpTo(256),
      confirmed: Confirmed,
      met: orNull(Met),
      shown: record({
        degraded: count,
        degradedSinceMs: maybe,
        voltageSinceMs: maybe,
        overloaded: count,
        overloadedSinceMs: maybe,
        onBattery: count,
      }),
      health: MemberHealth,
      why: text,
    }),
  ),
  quorum: t.union([
    record({ kind: t.literal('starting'), sinceWatchedMs: finite }),
    kind('held'),
    kind('doubted'),
    kind('lost'),
  ]),
  shutdown: Shutdown,
});
export type GroupSnapshot = t.TypeOf<typeof GroupSnapshot>;

export const OutageSnapshot = record({
  version: t.literal(snapshotVersion),
  clock: record({ monotonicMs: finite, watchedMs: finite, lookingSinceMs: finite, unixSeconds: finite }),
  ups: t.readonlyArray(UpsSnapshot),
  groups: t.readonlyArray(GroupSnapshot),
  /** Monotonic time of the last evaluation of the groups. */
  evaluatedMs: finite,
});
export type OutageSnapshot = t.TypeOf<typeof OutageSnapshot>;
