// Reads a small file that another program of this user left: no link is followed, a FIFO is not waited for, and what is larger than
// expected, or of another user, is refused.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errorMessage } from '../../shared/domain/base/error-message.js';

export type SmallFile =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** Never throws. */
export function readSmallFile(path: string, maxBytes: number, uid: number): SmallFile {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const about = fstatSync(descriptor);
    if (!about.isFile()) return refused('it is not a regular file');
    if (about.uid !== uid) return refused(`it belongs to the user ${String(about.uid)}`);
    const bytes = Buffer.alloc(maxBytes + 1);
    const length = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (length > maxBytes) return refused(`it is larger than ${String(maxBytes)} bytes`);
    return { ok: true, text: bytes.toString('utf8', 0, length) };
  } catch (error) {
    return refused(errorMessage(error));
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const refused = (problem: string): SmallFile => ({ ok: false, problem });
