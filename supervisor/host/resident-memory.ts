// How much memory a process holds. Reads procfs only, synchronously: it is memory, not a disk.
import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';

/** `AT_PAGESZ` of getauxval(3): the kernel tells every program its page size. */
const pageSizeTag = 6n;

let pageBytes: number | undefined;

/** ENOENT, ESRCH: it has just ended, and its end is told elsewhere. The others: not now, and the next look is near. */
const passing = new Set(['ENOENT', 'ESRCH', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Resident MB (1024 * 1024) of a process; null when there is no such process any more, or it cannot be looked at now. */
export function residentMb(pid: number): number | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${String(pid)}/statm`, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && passing.has(String(error.code))) return null;
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
