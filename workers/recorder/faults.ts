// The faults of a disk that are no bugs, each with what it means and what to do. Pure.
import type { Failure } from '../../shared/protocol/contract.js';
import { recordFailure } from '../../shared/protocol/recorder.js';
import { errorMessage } from '../../shared/domain/base/error-message.js';

type Code = (typeof recordFailure)[keyof typeof recordFailure];

const codes: Readonly<Record<string, Code>> = {
  ENOSPC: recordFailure.diskFull,
  EDQUOT: recordFailure.diskFull,
  EROFS: recordFailure.readOnly,
  EIO: recordFailure.ioError,
  ENXIO: recordFailure.ioError,
  ESTALE: recordFailure.ioError,
};

const meaning =
  'Shutdowns happen as configured; what was up before an outage is not on disk, so after a power-off of this host nothing is started again by it.';

const advice: Readonly<Record<Code, string>> = {
  RECORD_DISK_FULL: 'Free space on that file system; the next change is written again.',
  RECORD_READ_ONLY: 'Make the file system writable; the next change is written again.',
  RECORD_IO_ERROR: 'Check the disk (dmesg); the next change is written again.',
  RECORD_CANNOT_WRITE:
    'Check that the directory exists and may be written; the next change is written again.',
  RECORD_NOT_LOCKED: 'The next change tries again.',
  RECORD_TOO_LARGE: 'Configure fewer guests, containers or servers in one group.',
  RECORD_BUSY: 'Check the disk: it does not keep up.',
};

export function failureWith(code: Code, cause: string): Failure {
  return { code, message: `${cause}. ${meaning} ${advice[code]}` };
}

/** The error code of the system; undefined for a bug. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** The failure of a write; throws a bug again. */
export function writeFailure(directory: string, error: unknown): Failure {
  const code = systemCode(error);
  if (code === undefined) throw error;
  return failureWith(
    codes[code] ?? recordFailure.cannotWrite,
    `${directory} cannot be written (${errorMessage(error)})`,
  );
}
