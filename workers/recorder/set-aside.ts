// Renames a file that is no usable record to `NAME.set-aside-N`, so that a person can look at it and the next record finds its place.
import { rename, unlink } from 'node:fs/promises';
import { errorMessage } from '../../shared/domain/base/error-message.js';
import type { SetAside } from '../../shared/protocol/recorder.js';
import type { OpenDirectory } from './directory.js';
import { systemCode } from './faults.js';

/** Of each name: a disk that damages a file at each boot must not be filled with them. */
const maxKept = 5;

/** `names`: what is in the directory; it is kept up to date. Fails for nothing but a bug. */
export async function setAside(
  directory: OpenDirectory,
  names: Set<string>,
  name: string,
  reason: string,
): Promise<SetAside> {
  const before = numbersOf(names, name);
  const file = asideName(name, (before.at(-1) ?? 0) + 1);
  try {
    await rename(directory.path(name), directory.path(file));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return aside(
      name,
      `${reason}; it stays where it is, since it cannot be renamed (${errorMessage(error)})`,
    );
  }
  names.delete(name);
  names.add(file);
  const removed = await removeOldest(directory, names, name, before);
  return aside(
    file,
    removed === null ? reason : `${reason}; ${removed}, the oldest of ${String(maxKept + 1)}, is removed`,
  );
}

/** The name of what was removed. */
async function removeOldest(
  directory: OpenDirectory,
  names: Set<string>,
  name: string,
  before: readonly number[],
): Promise<string | null> {
  const [oldest] = before;
  if (oldest === undefined || before.length < maxKept) return null;
  const file = asideName(name, oldest);
  try {
    await unlink(directory.path(file));
  } catch (error) {
    // A directory, or a disk that fails: it stays.
    if (systemCode(error) === undefined) throw error;
    return null;
  }
  names.delete(file);
  return file;
}

/** The numbers of what was set aside of this name, in order. */
function numbersOf(names: ReadonlySet<string>, name: string): readonly number[] {
  const prefix = asideName(name, '');
  return [...names]
    .filter((other) => other.startsWith(prefix) && /^[1-9]\d{0,8}$/.test(other.slice(prefix.length)))
    .map((other) => Number(other.slice(prefix.length)))
    .sort((one, other) => one - other);
}

const asideName = (name: string, number: number | ''): string => `${name}.set-aside-${String(number)}`;

const aside = (file: string, reason: string): SetAside => ({ file, reason: reason.slice(0, 1024) });
