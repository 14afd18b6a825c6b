// Codecs of the outages (specification/api-resources.md#outages).
import * as t from 'io-ts';
import { OutageCause, ShutdownRecord } from '../domain/outage/outage.js';
import { SequenceCause } from '../domain/status/states.js';
import { finite, orNull } from '../domain/base/units.js';
import { EventRow } from './bodies.js';

/** A shutdown of an outage, without its steps. */
export const OutageShutdown = t.type(
  {
    group: t.string,
    label: t.string,
    startedAt: finite,
    trigger: SequenceCause,
    why: t.string,
    dryRun: t.boolean,
    over: t.boolean,
    /** The reason of a cancellation; empty without one. */
    cancelled: t.string,
  },
  'OutageShutdown',
);

const row = {
  id: finite,
  ups: t.string,
  label: t.string,
  source: t.string,
  cause: OutageCause,
  /** Unix seconds. */
  start: finite,
  /** Null while it lasts. */
  end: orNull(finite),
  /** False: the return of power was not seen, and `end` is the last reading on battery. */
  endSeen: t.boolean,
  durationSeconds: orNull(finite),
  /** It went over a boot of this host, and the clock was set in one of the boots. */
  durationUncertain: t.boolean,
  /** By how much the clock was set in it: what was recorded before has dates that much earlier. Null: it was not. */
  clockSetSeconds: orNull(finite),
  /** Times that power was back for less than a minute. */
  interruptions: finite,
  lowestCharge: orNull(finite),
  lowestRuntimeSeconds: orNull(finite),
  energyWh: orNull(finite),
  /** Part of it is computed from the load and the rating, not measured. */
  energyEstimated: t.boolean,
  /** The power factor that a part of it assumes; null: none. */
  powerFactor: orNull(finite),
};

/** One row of GET /api/v1/outages */
export const OutageRow = t.type({ ...row, shutdowns: t.readonlyArray(OutageShutdown) }, 'OutageRow');
export type OutageRow = t.TypeOf<typeof OutageRow>;

export const OutagesBody = t.type(
  { generatedAt: finite, outages: t.readonlyArray(OutageRow) },
  'OutagesBody',
);
export type OutagesBody = t.TypeOf<typeof OutagesBody>;

/** All variables of the reading that was valid at a time. */
export const OutageReading = t.type(
  { ts: finite, at: t.string, variables: t.record(t.string, t.string) },
  'OutageReading',
);
export type OutageReading = t.TypeOf<typeof OutageReading>;

/** What one reading changed; null for a variable that is gone. */
export const OutageChange = t.type(
  { ts: finite, variables: t.record(t.string, orNull(t.string)) },
  'OutageChange',
);
export type OutageChange = t.TypeOf<typeof OutageChange>;

/** GET /api/v1/outages/{id} */
export const OutageBody = t.type(
  {
    generatedAt: finite,
    ...row,
    /** With the plan's bounds beside what each step took. */
    shutdowns: t.readonlyArray(ShutdownRecord),
    events: t.readonlyArray(EventRow),
    readings: t.readonlyArray(OutageReading),
    changes: t.readonlyArray(OutageChange),
    /** False: evidence was deleted for its bound, was never stored, or has more changes than one answer. */
    evidenceComplete: t.boolean,
  },
  'OutageBody',
);
export type OutageBody = t.TypeOf<typeof OutageBody>;
