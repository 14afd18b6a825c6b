// The resident memory of a process. Reads procfs synchronously; procfs never waits for a disk.
import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';

/** `AT_PAGESZ` of getauxval(3). */
const pageSizeTag = 6n;

let pageBytes: number | undefined;

/** ENOENT, ESRCH: the process has ended, which is reported elsewhere. The others are temporary; the next check is soon. */
const transientErrors = new Set(['ENOENT', 'ESRCH', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Resident MB (1024 * 1024) of a process; null when it has ended or cannot be read now. */
export function residentMb(pid: number): number | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${String(pid)}/statm`, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && transientErrors.has(String(error.code))) return null;
    throw error;
  }
  pageBytes ??= pageSize();
  const pages = Number(text.split(' ')[1]);
  return Number.isFinite(pages) ? (pages * pageBytes) / (1024 * 1024) : null;
}

function pageSize(): number {
  const vector = readFileSync('/proc/self/auxv');
  const word = (offset: number): bigint =>
    endianness() === 'LE' ? vector.readBigUInt64LE(offset) : vector.readBigUInt64BE(offset);
  for (let offset = 0; offset + 16 <= vector.length; offset += 16)
    if (word(offset) === pageSizeTag) return Number(word(offset + 8));
  return 4096;
}
