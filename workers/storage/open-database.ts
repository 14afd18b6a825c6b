// Opens the database file: creates it with its mode, configures it, migrates its schema, moves a damaged one aside.
import { constants } from 'node:fs';
import { access, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { storageFailure } from '../../shared/protocol/storage.js';
import { Database } from './database.js';
import { FaultError } from './faults.js';
import { migrate, foundVersion } from './migrations.js';

const fileMode = 0o640;
/** The API worker has access through its group. */
const directoryMode = 0o750;
/**
 * SQLite trusts the content of these: a user who may create files in the directory could write the history through them. Empty
 * files have no effect.
 */
const sideFiles = ['-wal', '-shm', '-journal'];
/** More damaged databases than this point to a failing disk, which more copies would only fill. */
const maxCorruptFiles = 3;

/** The page cache of SQLite, at most: it grows with the history. */
export const pageCacheMb = 4;

/**
 * 8 KiB pages halve the reads of a chart with a cold cache and cost a small installation a few kB per flush. FULL: a UPS
 * daemon must expect power loss. A checkpoint of the write-ahead log follows every 2048 pages, 16 MiB: with 50 UPSes some
 * ten minutes, in which most pages change several times (decision 0030).
 */
const settings = `
  PRAGMA page_size = 8192;
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 2048;
  PRAGMA journal_size_limit = 20971520;
  PRAGMA cache_size = -${String(pageCacheMb * 1024)};
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = FAST;
  PRAGMA temp_store = MEMORY;
`;

export interface OpenedDatabase {
  readonly db: Database;
  /** Device and inode: shows whether the path still names this file. */
  readonly identity: string | null;
}

/** Rejects with an error that `faultOf` maps, or with a bug. */
export async function openDatabase(path: string): Promise<OpenedDatabase> {
  await prepareFile(path);
  for (const side of sideFiles) await reserve(path + side);
  const db = await Database.open(path);
  try {
    // A newer schema may need newer settings: write nothing before the version is known.
    await foundVersion(db);
    await db.exec(settings);
    await migrate(db);
    await continueIds(db, path);
    return { db, identity: await identityOf(path) };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Device and inode of the file at `path`; null when there is none. */
export async function identityOf(path: string): Promise<string | null> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${String(dev)}:${String(ino)}`;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Moves a damaged database and its side files to `NAME.corrupt-UNIXSECONDS`, which it returns. Throws the fault CORRUPT when
 * too many exist.
 */
export async function moveAside(path: string, unixSeconds: number): Promise<string> {
  const corrupt = await corruptFiles(path);
  if (corrupt.length >= maxCorruptFiles)
    throw new FaultError(
      storageFailure.corrupt,
      `damaged again, and its directory already has ${String(corrupt.length)} damaged databases: check the disk`,
    );
  let second = Math.floor(unixSeconds);
  while (corrupt.includes(asideName(path, second))) second += 1;
  const aside = join(dirname(path), asideName(path, second));
  // The side files first: SQLite would use a remaining log for the new database.
  for (const side of sideFiles) {
    if (!(await exists(path + side))) continue;
    if ((await stat(path + side)).size === 0) await unlink(path + side);
    else await rename(path + side, aside + side);
  }
  await rename(path, aside);
  return aside;
}

function asideName(path: string, second: number): string {
  return `${basename(path)}.corrupt-${String(second)}`;
}

async function corruptFiles(path: string): Promise<readonly string[]> {
  const prefix = `${basename(path)}.corrupt-`;
  const names = await readdir(dirname(path));
  return names.filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Creates the file with its mode before SQLite writes a byte, and restricts a mode that is too open. Creates only the last part
 * of a missing directory: when more is missing, a file system is not mounted.
 */
async function prepareFile(path: string): Promise<void> {
  const directory = dirname(path);
  if (!(await exists(directory))) await mkdir(directory, { mode: directoryMode });
  const file = await open(path, 'a', fileMode);
  try {
    const { mode } = await file.stat();
    // The umask can only have restricted the mode; the group of the API worker needs 0640.
    if ((mode & 0o777) !== fileMode) await file.chmod(fileMode);
  } finally {
    await file.close();
  }
}

/** Creates a missing side file empty; in a sticky directory no other user can then replace it. */
async function reserve(path: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, fileMode);
  try {
    const { uid } = await file.stat();
    if (uid !== process.geteuid?.() && uid !== 0)
      throw new FaultError(
        storageFailure.cannotOpen,
        `${path} belongs to user ${String(uid)}, who could write to the history through it. Check it, then remove it`,
      );
  } finally {
    await file.close();
  }
}

/** Ids start above those of a database that was moved aside. They derive from the time, which grows faster than the ids. */
async function continueIds(db: Database, path: string): Promise<void> {
  if ((await corruptFiles(path)).length === 0) return;
  await db.run(
    `INSERT INTO sqlite_sequence (name, seq) SELECT 'events', CAST(unixepoch() AS INTEGER)
     WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'events')`,
  );
}
