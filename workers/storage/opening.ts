// Opens the database file: creates it with its mode, sets it up, brings its schema up to date, moves a damaged one aside.
import { constants } from 'node:fs';
import { access, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { storageFailure } from '../../shared/protocol/storage.js';
import { Database } from './database.js';
import { FaultError } from './faults.js';
import { migrate, foundVersion } from './migrations.js';

const fileMode = 0o640;
/** The API worker enters it through its group. */
const directoryMode = 0o750;
/**
 * SQLite believes what it finds in these: whoever may make files in the directory could write the history through them.
 * Empty ones mean nothing to it.
 */
const sideFiles = ['-wal', '-shm', '-journal'];
/** More damaged databases than this in one directory are a failing disk; filling it with more copies helps nobody. */
const mostKeptAside = 3;

/** What SQLite keeps of the database in memory, at most: it fills as the history grows. */
export const pageCacheMb = 16;

/**
 * 8 KiB pages halve the reads of a chart with a cold cache and cost a small installation some kilobytes per flush.
 * FULL: a UPS daemon meets power loss by purpose. The write-ahead log is folded in every 512 pages, 4 MiB.
 */
const settings = `
  PRAGMA page_size = 8192;
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 512;
  PRAGMA journal_size_limit = 8388608;
  PRAGMA cache_size = -${String(pageCacheMb * 1024)};
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = FAST;
  PRAGMA temp_store = MEMORY;
`;

export interface Opened {
  readonly db: Database;
  /** Device and inode: tells whether the path still leads to this file. */
  readonly identity: string | null;
}

/** Rejects with an error that `faultOf` knows, or with a bug. */
export async function openDatabase(path: string): Promise<Opened> {
  await prepareFile(path);
  for (const side of sideFiles) await reserve(path + side);
  const db = await Database.open(path);
  try {
    // A schema of the future may need settings of the future: nothing is written before it is known.
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
 * Moves a damaged database and its side files to `NAME.corrupt-UNIXSECONDS`, which it returns. Throws the fault CORRUPT
 * when there are too many of them already.
 */
export async function moveAside(path: string, unixSeconds: number): Promise<string> {
  const kept = await corruptOnes(path);
  if (kept.length >= mostKeptAside)
    throw new FaultError(
      storageFailure.corrupt,
      `damaged again, and ${String(kept.length)} damaged databases lie beside it already: is the disk failing?`,
    );
  let second = Math.floor(unixSeconds);
  while (kept.includes(asideName(path, second))) second += 1;
  const aside = join(dirname(path), asideName(path, second));
  // The side files first: a log that stays behind would be taken for the new database's.
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

async function corruptOnes(path: string): Promise<readonly string[]> {
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
 * Creates the file with its mode before SQLite writes a byte, and narrows one that is too open. Of a missing directory
 * the last part alone is made: when more is missing, something is not mounted.
 */
async function prepareFile(path: string): Promise<void> {
  const directory = dirname(path);
  if (!(await exists(directory))) await mkdir(directory, { mode: directoryMode });
  const file = await open(path, 'a', fileMode);
  try {
    const { mode } = await file.stat();
    // The umask can only have narrowed it; 0640 is what the API worker's group needs.
    if ((mode & 0o777) !== fileMode) await file.chmod(fileMode);
  } finally {
    await file.close();
  }
}

/** Makes an empty side file of our own where there is none; in a sticky directory nobody else can then take its place. */
async function reserve(path: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, fileMode);
  try {
    const { uid } = await file.stat();
    if (uid !== process.geteuid?.() && uid !== 0)
      throw new FaultError(
        storageFailure.cannotOpen,
        `${path} belongs to user ${String(uid)}, who could write into the history through it. Look at it, and remove it`,
      );
  } finally {
    await file.close();
  }
}

/** Ids go on above those of a database that was moved aside: a second of time is worth more ids than a second of events. */
async function continueIds(db: Database, path: string): Promise<void> {
  if ((await corruptOnes(path)).length === 0) return;
  await db.run(
    `INSERT INTO sqlite_sequence (name, seq) SELECT 'events', CAST(unixepoch() AS INTEGER)
     WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'events')`,
  );
}
