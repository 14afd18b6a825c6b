// The faults of a database that are no bugs: a closed union, with text for the operator.
import { storageFailure } from '../../shared/protocol/storage.js';

export type StorageFaultCode = Exclude<
  (typeof storageFailure)[keyof typeof storageFailure],
  typeof storageFailure.disabled | typeof storageFailure.busy
>;

export interface StorageFault {
  readonly code: StorageFaultCode;
  /** The message of SQLite or of the system. */
  readonly cause: string;
}

/** An error that carries a fault through `throw`, within the worker only. */
export class FaultError extends Error {
  readonly fault: StorageFault;

  constructor(code: StorageFaultCode, cause: string) {
    super(`${code}: ${cause}`);
    this.fault = { code, cause };
  }
}

/** Primary result codes of SQLite (sqlite.org/rescode.html) and errno words of the file system. */
const codes: Readonly<Record<string, StorageFaultCode>> = {
  SQLITE_FULL: storageFailure.diskFull,
  ENOSPC: storageFailure.diskFull,
  EDQUOT: storageFailure.diskFull,
  SQLITE_READONLY: storageFailure.readOnly,
  EROFS: storageFailure.readOnly,
  SQLITE_BUSY: storageFailure.locked,
  SQLITE_LOCKED: storageFailure.locked,
  SQLITE_PROTOCOL: storageFailure.locked,
  SQLITE_IOERR: storageFailure.ioError,
  SQLITE_NOMEM: storageFailure.ioError,
  SQLITE_NOLFS: storageFailure.ioError,
  EIO: storageFailure.ioError,
  SQLITE_CORRUPT: storageFailure.corrupt,
  SQLITE_NOTADB: storageFailure.corrupt,
  SQLITE_CANTOPEN: storageFailure.cannotOpen,
  SQLITE_PERM: storageFailure.cannotOpen,
  SQLITE_AUTH: storageFailure.cannotOpen,
  EACCES: storageFailure.cannotOpen,
  EPERM: storageFailure.cannotOpen,
  ENOENT: storageFailure.cannotOpen,
  ENOTDIR: storageFailure.cannotOpen,
  EISDIR: storageFailure.cannotOpen,
  ELOOP: storageFailure.cannotOpen,
  EMFILE: storageFailure.cannotOpen,
};

/** The fault of an error; undefined for a bug, which must be rethrown. */
export function faultOf(error: unknown): StorageFault | undefined {
  if (error instanceof FaultError) return error.fault;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  const code = codes[error.code];
  return code === undefined ? undefined : { code, cause: error.message };
}

/** The meaning and the remedy, as text for the log. */
export function adviceFor(fault: StorageFault, path: string): string {
  const [means, action] = advice[fault.code];
  return `${path}: ${fault.cause}. ${means} ${action}`;
}

const waiting = 'New events and samples wait in memory, within bounds; monitoring and shutdown continue.';

const advice: Readonly<Record<StorageFaultCode, readonly [string, string]>> = {
  DISK_FULL: [waiting, 'Free space on that file system; writing then resumes.'],
  READ_ONLY: [waiting, 'Make the file system or the file writable; writing then resumes.'],
  LOCKED: [waiting, 'Another process holds the database: end it (`fuser` shows it); writing then resumes.'],
  IO_ERROR: [waiting, 'Check the disk (`dmesg`); writing resumes when it answers again.'],
  CORRUPT: [
    waiting,
    'Move the damaged files in that directory elsewhere; the daemon then creates a new database.',
  ],
  NEWER_SCHEMA: [
    'A newer version of ridethrough wrote it; this version leaves it unchanged and runs without storage.',
    'Install that version again, or move the file elsewhere.',
  ],
  CANNOT_OPEN: [waiting, 'Check that the directory exists and belongs to the user of the storage worker.'],
};
