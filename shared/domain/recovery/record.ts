// The record of who was up, of one group (specification/recovery.md#record): what the next boot must know of the machines that this
// daemon shut down. It is read again as untrusted data.
import * as t from 'io-ts';
import { count, finite, integerFrom, oneOf, orNull, textUpTo } from '../base/units.js';
import { RecordedGuest } from './guest.js';

/** Raised when the meaning of a field changes; a record of another version is set aside. */
export const recordVersion = 3;
/** The longest text of a record. */
export const maxRecordBytes = 1_048_576;

const name = textUpTo(512);
const record = <P extends t.Props>(props: P) => t.readonly(t.type(props));

/** At the beginning of the outage. `unknown` counts as up for a later version, which brings machines back. */
export const Before = oneOf('up', 'off', 'unknown');
export type Before = t.TypeOf<typeof Before>;

/** Whether its final command was given. `maybe`: sent without an answer, or on battery when this host went down. */
export const Command = oneOf('none', 'maybe', 'given');

export const RecordedTarget = record({
  /** Of the server; null: this host. */
  server: orNull(name),
  before: Before,
  /** The date of the look that says so; null: there was none. */
  lookedUnixSeconds: orNull(finite),
  command: Command,
  /** The date when a person shut it down with `ridethrough shutdown`: it is not brought back until it is up again. Null: nobody did. */
  byHandUnixSeconds: orNull(finite),
  /** It was found off after its command, or after that date. */
  isOff: t.boolean,
  /** In a dry run: nothing was given. It stays so after a reload. */
  isDryRun: t.boolean,
  /** Guests and containers that a step found running on it and stopped. Never more than fit in a record. */
  guests: t.readonlyArray(RecordedGuest),
  /** So many more did not fit. */
  guestsLeftOut: count,
  /** The date when it was last seen up again after it was commanded and found off; null: never. By whom it was started is not known. */
  provenUnixSeconds: orNull(finite),
});
export type RecordedTarget = t.TypeOf<typeof RecordedTarget>;

/** Whether the output was cut after the last command: seen off, or not; else it is not known. */
export const RecordedOutput = record({ ups: name, cut: oneOf('yes', 'no', 'unknown') });
export type RecordedOutput = t.TypeOf<typeof RecordedOutput>;

/** What a record is bound to: one of another machine or file is set aside. */
const binding = { machineId: textUpTo(128), configFile: textUpTo(4096) };

export const RecoveryRecord = t.readonly(
  t.intersection([
    t.type({
      version: t.literal(recordVersion),
      ...binding,
      /** Of the settings when it was written. */
      configHash: textUpTo(128),
      bootId: textUpTo(128),
      /** Of this entry; each later one of any group has a higher one. After a boot the order comes from it, never from a date. */
      number: integerFrom(0, Number.MAX_SAFE_INTEGER),
      group: name,
      /** A UPS of the group was on battery, or its sequence was open. */
      inOutage: t.boolean,
      targets: t.readonlyArray(RecordedTarget),
      outputs: t.readonlyArray(RecordedOutput),
    }),
    /** Restarts of this host in place of its power-off, since its last stay on line power; absent: none. */
    t.partial({ restarts: integerFrom(1, 1_000) }),
  ]),
  'RecoveryRecord',
);
export type RecoveryRecord = t.TypeOf<typeof RecoveryRecord>;

/** All records of this boot, in the runtime directory. `isRecalled`: what the disk had of an earlier boot is among them. */
export const RecoveryCopy = t.type(
  { ...binding, isRecalled: t.boolean, records: t.readonlyArray(RecoveryRecord) },
  'RecoveryCopy',
);
export type RecoveryCopy = t.TypeOf<typeof RecoveryCopy>;
