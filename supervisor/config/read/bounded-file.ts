// Reads a file that the configuration names: only regular files of bounded size. Never waits for a FIFO or device.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export type FileText =
  | { readonly ok: true; readonly text: string; readonly readableByAll: boolean }
  | { readonly ok: false; readonly fault: string };

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist (a part of its path is not a directory)',
  EACCES: 'may not be read by the user that runs this program',
  EPERM: 'may not be read by the user that runs this program',
  ELOOP: 'is a loop of symbolic links',
  ENXIO: 'is not a regular file',
  ENODEV: 'is not a regular file',
};

/** The UTF-8 text of `path`, at most `maxBytes`. `fault` completes a sentence: "/etc/x does not exist". */
export function readBounded(path: string, maxBytes: number): FileText {
  let descriptor: number | undefined;
  try {
    // O_NONBLOCK: without it, opening a FIFO waits for a writer.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const about = fstatSync(descriptor);
    if (about.isDirectory()) return { ok: false, fault: 'is a directory, not a file' };
    if (!about.isFile()) return { ok: false, fault: 'is not a regular file' };
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    while (length < bytes.length) {
      const got = readSync(descriptor, bytes, length, bytes.length - length, null);
      if (got === 0) break;
      length += got;
    }
    if (length > maxBytes) return { ok: false, fault: `is larger than ${sizeText(maxBytes)}` };
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length));
    return { ok: true, text, readableByAll: (about.mode & 0o004) !== 0 };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { ok: false, fault: 'is not UTF-8 text' };
    return { ok: false, fault: faults[code] ?? `cannot be read (${code === '' ? String(error) : code})` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function sizeText(bytes: number): string {
  return bytes >= 1_048_576 ? `${String(bytes / 1_048_576)} MiB` : `${String(bytes / 1024)} KiB`;
}
