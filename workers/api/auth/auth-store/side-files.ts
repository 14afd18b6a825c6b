// The files that SQLite keeps beside auth.db. It believes what it finds in them, and auth.db lies where several users may
// make files: a journal that somebody else has laid there would write a user into the database.
import { lstat, open } from 'node:fs/promises';
import { StoreUnavailable } from './connection.js';

/** Empty ones mean nothing to SQLite, and in a sticky directory nobody else can take their place. */
export const sideFiles = ['-journal', '-wal', '-shm'];
/** As the database itself (specification/storage.md#places). */
const fileMode = 0o640;
/** Then the disk or the directory takes no file of ours: a read must work all the same. */
const unmakeable = new Set(['EROFS', 'ENOSPC', 'EDQUOT', 'EACCES', 'EPERM']);

/**
 * Rejects with StoreUnavailable when one of them is not the caller's own or root's. `reserve`: also makes those that are
 * missing, for who is the user of the database.
 */
export async function guardSideFiles(
  database: string,
  { reserve }: { readonly reserve: boolean },
): Promise<void> {
  for (const side of sideFiles) {
    const path = database + side;
    if (!(await isOurs(path)) && reserve) await make(path);
  }
}

/** False when there is none. */
async function isOurs(path: string): Promise<boolean> {
  try {
    const found = await lstat(path);
    if (!found.isFile()) throw new StoreUnavailable(`${path} is no regular file. Look at it, and remove it`);
    if (found.uid !== 0 && found.uid !== process.geteuid?.())
      throw new StoreUnavailable(
        `${path} belongs to user ${String(found.uid)}, who could let himself in through it. Look at it, and remove it`,
      );
    return true;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw new StoreUnavailable(`${path} cannot be looked at: ${message}`);
  }
}

async function make(path: string): Promise<void> {
  try {
    const file = await open(path, 'wx', fileMode);
    await file.close();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') await isOurs(path);
    else if (!unmakeable.has(code ?? '')) throw new StoreUnavailable(`${path} cannot be made: ${message}`);
  }
}
