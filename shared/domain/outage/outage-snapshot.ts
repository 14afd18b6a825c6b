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
export const snapshotVersion = 2;

/** The reason of a decision; the longest names a member. */
const text = textUpTo(16_384);
const maybe = orNull(finite);
const record = <P extends t.Props>(props: P) => t.readonly(t.type(props));
const kind = <K extends string>(value: K) => record({ kind: t.literal(value) });

const Sight = t.union([
  kind('unknown'),
  kind('ok'),
  record({ kind: t.literal('grace'), sinceWatchedMs: finite }),
  kind('failed'),
]);

/** What an earlier version did not write has this value. */
const since = <C extends t.Mixed>(codec: C, before: t.TypeOf<C>): t.Type<t.TypeOf<C>> =>
  new t.Type<t.TypeOf<C>>(
    codec.name,
    (u): u is t.TypeOf<C> => codec.is(u),
    (u, context) => codec.validate(u ?? before, context),
    t.identity,
  );

/** A record whose fields all have such a value. */
const sinceEach = <P extends t.Props>(props: P) => since(record(props), {} as t.TypeOfProps<P>);

const Connection = record({
  sight: Sight,
  detail: ConnectionDetail,
  failedPolls: count,
  onlyStale: since(t.boolean, false),
  flaps: record({ recoveriesMs: t.readonlyArray(finite), told: t.boolean }),
});

const Seen = record({
  reading: Reading,
  source: oneOf('line', 'battery', 'bypass', 'off', 'neither'),
  monotonicMs: finite,
  watchedMs: finite,
  unixSeconds: finite,
  refused: t.readonlyArray(record({ quantity: oneOf('charge', 'runtime'), why: text })),
});

const outageClock = { startedMs: finite, beganMs: since(maybe, null) };

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
  record({ kind: t.literal('mains'), ended: t.union([record({ ...outageClock, endedMs: finite }), t.null]) }),
  record({
    kind: t.literal('outage'),
    clock: record(outageClock),
    lineReadings: count,
    onBattery: t.boolean,
    bypass: since(t.union([record({ sinceMs: finite, mainsSinceMs: maybe }), t.null]), null),
    obReadings: since(orNull(count), null),
    lows: since(t.union([record({ charge: maybe, runtime: maybe, reachedMs: finite }), t.null]), null),
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

const countOrNone = since(count, 0);

const Sighting = record({ anyMs: maybe, batteryMs: maybe });
const never = { anyMs: null, batteryMs: null };
/** By quantity; computed from the table too. */
const Sightings = since(
  record(
    Object.fromEntries(quantities.map(({ name }) => [name, since(Sighting, never)])) as Readonly<
      Record<string, t.Type<{ readonly anyMs: number | null; readonly batteryMs: number | null }>>
    >,
  ),
  {},
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

const Doubt = since(
  record({
    highs: t.readonlyArray(record({ atMs: finite, percent: finite })),
    lastMs: maybe,
    hasVoltage: t.boolean,
    lowVoltageSinceMs: maybe,
    shown: count,
    gone: count,
    sinceMs: maybe,
    why: text,
    acts: t.boolean,
  }),
  noDoubt,
);

const Gauge = record({ hasRead: t.boolean, zeroMs: maybe });

const later = since(maybe, null);
const isTold = since(t.boolean, false);
const course = record({ value: maybe, firstMs: later, sinceMs: maybe, before: maybe, untilMs: later });
const noCourse = { value: null, firstMs: null, sinceMs: null, before: null, untilMs: null };
const Shown = since(record({ charge: course, runtime: course, flagSinceMs: maybe }), {
  charge: noCourse,
  runtime: noCourse,
  flagSinceMs: null,
});

const conditionWords = { BYPASS: later, OVER: later, RB: later };
const Reported = sinceEach({
  shownMs: sinceEach({ ...conditionWords, ALARM: later, OFF: later, ECO: later, CAL: later }),
  alarm: since(t.union([record({ text, toldMs: finite }), t.null]), null),
  unknown: since(t.readonlyArray(textUpTo(64)), []),
});

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
  bornWatchedMs: finite,
  heard: record({ watchedMs: finite, waiting: t.boolean }),
  connection: Connection,
  /** The last reading, without the fields that are only displayed. */
  last: t.union([Seen, t.null]),
  runtimeDistrusted: t.boolean,
  gauges: since(t.union([record({ charge: Gauge, runtime: Gauge }), t.null]), null),
  line: Line,
  batteryTime: since(t.union([BatteryTime, t.null]), null),
  fsd: Fsd,
  holds: record({
    testMs: maybe,
    calibrationMs: maybe,
    ownTestMs: maybe,
    calibrationLowMs: maybe,
    withoutTest: countOrNone,
    withoutCalibration: countOrNone,
  }),
  depletion: record({
    samples: t.readonlyArray(record({ atMs: finite, percent: finite })),
    rate: maybe,
    runtimeReadMs: since(maybe, null),
  }),
  doubt: Doubt,
  shown: Shown,
  /** What the holds depend on; the other variables are only displayed. */
  driver: since(Variables, {}),
  transfer: sinceEach({ charge: later, runtime: later, isContradictionTold: isTold, isFlagTold: isTold }),
  confirmed: Confirmed,
  met: t.union([Met, t.null]),
  conditions: record({
    avr: AvrState,
    bypass: OnOffState,
    overload: OnOffState,
    replaceBattery: t.boolean,
    lowBattery: t.boolean,
    offSinceMs: maybe,
    offOnLineAtFirst: since(orNull(t.boolean), null),
    firstOnLine: since(orNull(record({ hasOff: t.boolean, readings: count, sinceMs: finite })), null),
  }),
  reported: Reported,
  sightings: Sightings,
  estimate: since(orNull(RuntimeEstimate), null),
  voltage: record({
    reportedVolts: maybe,
    learned: t.readonlyArray(finite),
    nominalVolts: maybe,
    state: VoltageState,
    excursion: t.union([record({ side: oneOf('LOW', 'HIGH'), sinceMs: finite, told: t.boolean }), t.null]),
  }),
  phaseLoss: since(
    record({
      seen: t.readonlyArray(textUpTo(16)),
      missing: t.readonlyArray(record({ phase: textUpTo(16), sinceMs: finite, told: t.boolean })),
    }),
    { seen: [], missing: [] },
  ),
  anomaly: record({
    highs: t.readonlyArray(record({ atMs: finite, percent: finite })),
    suspicion: t.union([record({ fromPercent: finite, atPercent: finite, polls: count }), t.null]),
  }),
  slowToldMs: maybe,
  shutdown: Shutdown,
});
export type UpsSnapshot = t.TypeOf<typeof UpsSnapshot>;

export const GroupSnapshot = record({
  groupId: textUpTo(256),
  members: t.readonlyArray(
    record({
      ups: textUpTo(256),
      confirmed: Confirmed,
      met: t.union([Met, t.null]),
      shown: record({
        ill: count,
        illSinceMs: since(maybe, null),
        voltageSinceMs: since(maybe, null),
        overloaded: count,
        overloadedSinceMs: since(maybe, null),
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
