// Reads the records, a part at a time: all of them together may be larger than a frame. What is no usable record is set aside, and
// never returned.
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { lstat, open } from 'node:fs/promises';
import { errorMessage } from '../../shared/domain/base/error-message.js';
import type { KeptRecord, SetAside } from '../../shared/protocol/recorder.js';
import { maxRecordBytes, recordDirectoryName } from '../../shared/protocol/recorder.js';
import type { OpenDirectory } from './directory.js';
import { isOwn } from './directory.js';
import { systemCode } from './faults.js';
import { namesIn } from './names.js';
import type { ReadRecord } from './record-text.js';
import { maxFileBytes, readRecord } from './record-text.js';
import { setAside } from './set-aside.js';

/** More than a site has groups. */
export const maxFiles = 2_000;
/** Of a part, and of one record, in JSON: the longest frame has 4 MiB. */
export const maxPartBytes = 3 * 1_048_576;

export interface Part {
  readonly records: readonly KeptRecord[];
  readonly setAside: readonly SetAside[];
  readonly next: string | null;
  readonly bytes: number;
}

/** `stays`: the disk failed, and the file may be sound. */
type ReadFile = ReadRecord & { readonly stays?: boolean };

/** The records of the files after `after`. Throws the error of the system when the directory cannot be listed. */
export async function recallPart(directory: OpenDirectory, after: string): Promise<Part> {
  const { names, isCut } = await namesIn(directory);
  const all = [...names].filter((name) => name.endsWith('.json')).sort();
  const files = all.slice(0, maxFiles);
  const records: KeptRecord[] = [];
  const aside: SetAside[] = [];
  let bytes = 0;
  let last = after;
  for (const name of files.filter((file) => file > after)) {
    const read = await readFile(directory, name);
    const cost = jsonBytes(read.ok ? read.record : read.reason);
    if (bytes > 0 && bytes + cost > maxPartBytes) return { records, setAside: aside, next: last, bytes };
    if (read.ok && cost <= maxPartBytes) records.push(read.record);
    else aside.push(await refused(directory, names, name, read));
    bytes += cost;
    last = name;
  }
  if (all.length > files.length || isCut)
    aside.push({
      file: recordDirectoryName,
      reason: `it has more than ${String(maxFiles)} records, and the others are not read: move away those of groups that are no longer configured`,
    });
  return { records, setAside: aside, next: null, bytes };
}

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

function refused(
  directory: OpenDirectory,
  names: Set<string>,
  file: string,
  read: ReadFile,
): SetAside | Promise<SetAside> {
  const reason = read.ok ? 'it is too large for a message' : read.reason;
  return read.stays === true ? { file, reason } : setAside(directory, names, file, reason);
}

async function readFile(directory: OpenDirectory, name: string): Promise<ReadFile> {
  const path = directory.path(name);
  try {
    // Before it is opened: a device may act on that, and a FIFO wait.
    const fault = faultOf(await lstat(path, { bigint: true }));
    if (fault !== null) return { ok: false, reason: fault };
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const about = await file.stat({ bigint: true });
      const changed = faultOf(about);
      return changed === null
        ? readRecord(name, await bytesOf(file, Number(about.size)))
        : { ok: false, reason: changed };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return { ok: false, stays: true, reason: `it cannot be read (${errorMessage(error)})` };
  }
}

/** One that grows meanwhile is read up to the size that it had. */
async function bytesOf(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(bytes, at, size - at, at);
    if (bytesRead === 0) return bytes.subarray(0, at);
    at += bytesRead;
  }
  return bytes;
}

interface About {
  isFile(): boolean;
  readonly size: bigint;
  readonly uid: bigint;
}

function faultOf(about: About): string | null {
  if (!about.isFile()) return 'it is not a regular file';
  if (about.size > maxFileBytes)
    return `it has ${String(about.size)} bytes, and a record has at most ${String(maxRecordBytes)}`;
  return isOwn(about) ? null : `it belongs to the user ${String(about.uid)}`;
}
