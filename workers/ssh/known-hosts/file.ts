// One known_hosts file on disk: read completely within a bound, lines appended in one write. Asynchronous and one job at a
// time, so that a hanging disk blocks only one thread of the pool.
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Ten thousand hosts with three keys each. */
const maxBytes = 8 * 1_048_576;

export type FileRead =
  | { readonly ok: true; readonly text: string }
  /** `fault` completes a sentence: "/x/known_hosts may not be read". */
  | { readonly ok: false; readonly fault: string };

/** A missing file has no host. */
export async function readLines(path: string): Promise<FileRead> {
  let file: FileHandle | undefined;
  try {
    // O_NONBLOCK: opening a FIFO would otherwise wait without limit.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) return { ok: false, fault: 'is not a regular file' };
    if (!(await isTrusted(path, stat.uid))) return { ok: false, fault: writableByOthers };
    if (stat.size > maxBytes) return { ok: false, fault: 'is larger than 8 MiB' };
    const bytes = Buffer.alloc(stat.size);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return { ok: true, text: bytes.toString('utf8', 0, bytesRead) };
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' ? { ok: true, text: '' } : { ok: false, fault: faultOf(code) };
  } finally {
    await file?.close();
  }
}

/** Appends `line` in one write. Null when it is on disk, else the error. */
export async function appendLine(path: string, line: string): Promise<string | null> {
  let file: FileHandle | undefined;
  try {
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
    file = await open(path, flags, 0o600);
    const stat = await file.stat();
    if (!stat.isFile()) return 'is not a regular file';
    if (!(await isTrusted(path, stat.uid))) return writableByOthers;
    // A last line without a line break would be joined with the new one.
    const last = Buffer.alloc(1);
    if (stat.size > 0) await file.read(last, 0, 1, stat.size - 1);
    const whole = stat.size > 0 && last.toString('latin1') !== '\n' ? `\n${line}` : line;
    const { bytesWritten } = await file.write(whole);
    return bytesWritten === Buffer.byteLength(whole) ? null : 'could not be written completely';
  } catch (error) {
    return faultOf(codeOf(error));
  } finally {
    await file?.close();
  }
}

const writableByOthers =
  'belongs to a user other than that of this process, root and the owner of its folder; that user could block every server or redirect the daemon to another one. Check it, then remove it';

/** Other workers may create files in the folder of the default file; the owner of a home folder owns the file there. */
async function isTrusted(path: string, owner: number): Promise<boolean> {
  if (owner === 0 || owner === process.geteuid?.()) return true;
  return (await stat(dirname(path))).uid === owner;
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

const faults: Readonly<Record<string, string>> = {
  EACCES: 'may not be opened by the user of this process',
  EPERM: 'may not be opened by the user of this process',
  ENOENT: 'cannot be created: its folder does not exist',
  EROFS: 'is on a file system that is read-only',
  ENOSPC: 'is on a file system that is full',
  EISDIR: 'is a folder',
  ENXIO: 'is not a regular file',
};

const faultOf = (code: string): string => faults[code] ?? `cannot be used (${code})`;
