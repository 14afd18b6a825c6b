// Writes one record beside the old one and renames it over it. Killed at any moment it leaves the old record or the new one.
import { constants } from 'node:fs';
import { lstat, open, rename, unlink } from 'node:fs/promises';
import type { KeptRecord, SetAside } from '../../shared/protocol/recorder.js';
import type { OpenDirectory } from './directory.js';
import { systemCode } from './faults.js';
import { namesIn } from './names.js';
import { fileNameOf, recordBytes } from './record-text.js';
import { setAside } from './set-aside.js';

/** The end of the name while a file is written. */
const unfinished = '.next';

/**
 * Returns what stood in its place and is no file. Throws the error of the system. The rename is on disk once the directory is
 * synced.
 */
export async function writeRecord(
  directory: OpenDirectory,
  record: KeptRecord,
): Promise<readonly SetAside[]> {
  const name = fileNameOf(record.group);
  const next = `${name}${unfinished}`;
  const inTheWay = await setAsideUnlessFile(directory, next);
  await removeIfThere(directory.path(next));
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = await open(directory.path(next), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(recordBytes(record));
    await file.sync();
  } finally {
    await file.close();
  }
  const inItsPlace = await setAsideUnlessFile(directory, name);
  await rename(directory.path(next), directory.path(name));
  return [...inTheWay, ...inItsPlace];
}

async function setAsideUnlessFile(directory: OpenDirectory, name: string): Promise<readonly SetAside[]> {
  const about = await lstat(directory.path(name)).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (about === null || about.isFile()) return [];
  const { names } = await namesIn(directory);
  return [await setAside(directory, names, name, 'it is not a regular file')];
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
