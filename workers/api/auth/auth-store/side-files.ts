// The files that SQLite keeps next to auth.db. SQLite trusts their content, and several users may create files in that
// directory: with a journal, another user could write a user into the database.
import { lstat, open } from 'node:fs/promises';
import { StoreUnavailable } from './connection.js';

/** Empty ones have no effect on SQLite, and in a sticky directory no other user can replace them. */
export const sideFiles = ['-journal', '-wal', '-shm'];
/** As the database itself (specification/storage.md#places). */
const fileMode = 0o640;
/** The disk or the directory takes no new file: reads must still work. */
const cannotCreate = new Set(['EROFS', 'ENOSPC', 'EDQUOT', 'EACCES', 'EPERM']);

/**
 * Rejects with StoreUnavailable when one of them belongs neither to the caller nor to root. `reserve`: also creates missing
 * ones, for the owner of the database.
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
    if (!found.isFile())
      throw new StoreUnavailable(`${path} is not a regular file. Check it, then remove it`);
    if (found.uid !== 0 && found.uid !== process.geteuid?.())
      throw new StoreUnavailable(
        `${path} belongs to user ${String(found.uid)}, who could add users through it. Check it, then remove it`,
      );
    return true;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw new StoreUnavailable(`${path} cannot be examined: ${message}`);
  }
}

async function make(path: string): Promise<void> {
  try {
    const file = await open(path, 'wx', fileMode);
    await file.close();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') await isOurs(path);
    else if (!cannotCreate.has(code ?? ''))
      throw new StoreUnavailable(`${path} cannot be created: ${message}`);
  }
}
