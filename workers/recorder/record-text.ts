// The content of a record's file: a first line with version, length, checksum and group, then the text of the record. Whatever was
// cut, changed or copied to another name is found here.
import { createHash } from 'node:crypto';
import type { KeptRecord } from '../../shared/protocol/recorder.js';
import { maxRecordBytes } from '../../shared/protocol/recorder.js';

const version = 1;
const lineFeed = 0x0a;
/** The longest first line: the group has at most 256 characters, each at most six in JSON. */
const maxFirstLineBytes = 2_048;

/** A larger file is not read. */
export const maxFileBytes = maxRecordBytes + maxFirstLineBytes;

export type ReadRecord =
  | { readonly ok: true; readonly record: KeptRecord }
  | { readonly ok: false; readonly reason: string };

/** The name of the file of a group: a group's id may have any character. */
export function fileNameOf(group: string): string {
  return `${createHash('sha256').update(group).digest('hex').slice(0, 32)}.json`;
}

export function recordBytes({ group, text }: KeptRecord): Buffer {
  const content = Buffer.from(text);
  const first = ['ridethrough-record', version, content.length, checksum(group, content)].join(' ');
  return Buffer.concat([Buffer.from(`${first} ${JSON.stringify(group)}\n`), content]);
}

/** The record in the bytes of the file `name`. */
export function readRecord(name: string, bytes: Buffer): ReadRecord {
  const end = bytes.subarray(0, maxFirstLineBytes).indexOf(lineFeed);
  const first = bytes.toString('utf8', 0, end === -1 ? Math.min(bytes.length, maxFirstLineBytes) : end);
  const [, found] = /^ridethrough-record (\d{1,9}) /.exec(first) ?? [];
  if (found === undefined) return unusable('it does not begin as a record does: it was cut, or is none');
  if (found !== String(version))
    return unusable(`it is of version ${found}, and this daemon reads version ${String(version)}`);
  const [, length, sum, quoted] = /^\S+ \d+ (\d{1,9}) ([0-9a-f]{64}) (".*")$/.exec(first) ?? [];
  const group = groupIn(quoted);
  if (end === -1 || length === undefined || group === null)
    return unusable('its first line was cut or changed');
  const content = bytes.subarray(end + 1);
  if (content.length !== Number(length))
    return unusable(`it has ${String(content.length)} bytes, and ${length} were written`);
  if (checksum(group, content) !== sum) return unusable('its checksum is wrong: its content was changed');
  if (fileNameOf(group) !== name) return unusable(`its name is not that of its group, ${group}`);
  return { ok: true, record: { group, text: content.toString() } };
}

const unusable = (reason: string): ReadRecord => ({ ok: false, reason });

function checksum(group: string, content: Buffer): string {
  return createHash('sha256')
    .update(`${JSON.stringify(group)}\n`)
    .update(content)
    .digest('hex');
}

function groupIn(quoted: string | undefined): string | null {
  try {
    const group: unknown = JSON.parse(quoted ?? '');
    return typeof group === 'string' && group.length <= 256 ? group : null;
  } catch {
    return null;
  }
}
