// The contract of the recorder: keeps the recovery record of each group in a file (specification/recorder.md#files). What a record
// says is not its concern.
import * as t from 'io-ts';
import { orNull, textUpTo } from '../domain/base/units.js';
import type { Contract } from './contract.js';
import { nothing } from './contract.js';

/** The directory of the records in `statistics.db_directory`. */
export const recordDirectoryName = 'supervisor';

/** Of one record, in bytes of UTF-8. */
export const maxRecordBytes = 1_048_576;

export const RecorderSettings = t.type({ directory: textUpTo(4096) }, 'RecorderSettings');
export type RecorderSettings = t.TypeOf<typeof RecorderSettings>;

/** Codes of a record that is not on disk. All but the size may be temporary: the request may be repeated. */
export const recordFailure = {
  /** Another daemon has the directory, or nobody can know whether one has. */
  notLocked: 'RECORD_NOT_LOCKED',
  diskFull: 'RECORD_DISK_FULL',
  readOnly: 'RECORD_READ_ONLY',
  ioError: 'RECORD_IO_ERROR',
  cannotWrite: 'RECORD_CANNOT_WRITE',
  tooLarge: 'RECORD_TOO_LARGE',
  /** The disk is slow, and too much waits for it. */
  busy: 'RECORD_BUSY',
} as const;

const fileName = textUpTo(255);

export const KeptRecord = t.readonly(
  t.type({ group: textUpTo(256), text: textUpTo(maxRecordBytes) }),
  'KeptRecord',
);
export type KeptRecord = t.TypeOf<typeof KeptRecord>;

/** A file that is not used, under the name that it has now, and why. */
export const SetAside = t.readonly(t.type({ file: fileName, reason: textUpTo(1024) }), 'SetAside');
export type SetAside = t.TypeOf<typeof SetAside>;

/** The longest frame has 4 MiB, also where each character takes six. */
export const maxUnused = 200;

/** A record that the supervisor does not use, and why. */
export const UnusedRecord = t.readonly(
  t.type({ group: textUpTo(256), reason: textUpTo(1024) }),
  'UnusedRecord',
);
export type UnusedRecord = t.TypeOf<typeof UnusedRecord>;

export const recorderContract = {
  name: 'recorder',
  settings: RecorderSettings,
  events: {
    /** It runs as root, and this machine did not let it leave the network. */
    'network.kept': { body: nothing, flow: 'newest' },
  },
  requests: {
    /** Answered once the record, or a newer one of its group, is on disk. Fails with a code of `recordFailure`. */
    'record.keep': { params: KeptRecord, result: nothing },
    /** A part of the records: of the files whose names come after `after`, which is "" for the first part. */
    'record.recall': {
      params: t.type({ after: fileName }),
      result: t.type({
        records: t.readonlyArray(KeptRecord),
        setAside: t.readonlyArray(SetAside),
        /** False: nothing is returned, and nothing is written. */
        locked: t.boolean,
        /** Why it is not locked. */
        reason: orNull(textUpTo(1024)),
        /** `after` of the next part; null after the last. */
        next: orNull(fileName),
      }),
    },
    /** Answered once they are renamed on disk: what stood there is kept for a person. Nothing of a group without a file. */
    'record.setAside': {
      params: t.type({
        records: t.refinement(
          t.readonlyArray(UnusedRecord),
          ({ length }) => length <= maxUnused,
          'UnusedRecords',
        ),
      }),
      result: t.type({ setAside: t.readonlyArray(SetAside) }),
    },
  },
  asks: {},
} as const satisfies Contract;
