// Finds the databases of Eneru and opens copies of them: the originals stay as they are, whether Eneru runs or not.
import { constants } from 'node:fs';
import { copyFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { errorMessage } from '../../../../shared/domain/base/error-message.js';
import { Database } from '../../../../workers/storage/database.js';
import { ImportError } from '../history-sink.js';

/** Several hundred times what Eneru keeps of one UPS in five years. */
const maxBytes = 8 * 1024 ** 3;
const suffix = '.db';
/** Users and API keys of Eneru. */
const notHistory = ['auth.db'];

/** The databases of a directory, or the one file; in order of their names. */
export async function databasesAt(place: string): Promise<readonly string[]> {
  const found = await stat(place).catch((error: unknown) => {
    throw new ImportError(errorMessage(error));
  });
  if (found.isFile()) return [place];
  if (!found.isDirectory()) throw new ImportError(`${place} is no directory`);
  const names = (await readdir(place)).filter((name) => name.endsWith(suffix) && !notHistory.includes(name));
  if (names.length === 0) throw new ImportError(`${place} has no database of Eneru (*.db)`);
  return names.sort().map((name) => join(place, name));
}

/** The identifier of the UPS that Eneru made the name of the file of; `default` with a single UPS. */
export function identifierOf(path: string): string {
  return basename(path, suffix);
}

export interface DatabaseCopy {
  readonly db: Database;
  close(): Promise<void>;
}

/** Copies a database with its write-ahead log into a private directory and checks the copy. Throws an ImportError. */
export async function openCopy(path: string): Promise<DatabaseCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'ridethrough-import-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    const copy = join(directory, 'copy.db');
    for (const side of ['', '-wal']) await copyOf(path + side, copy + side, side === '');
    const db = await Database.open(copy);
    try {
      // Nothing of a foreign schema runs.
      await db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -16384');
      // As a statement: to the table-valued function SQLite 3.52 takes the 1 for the name of a table.
      const [row] = await db.all<{ readonly quick_check: string }>('PRAGMA quick_check(1)');
      if (row?.quick_check !== 'ok') throw new ImportError(`${path} is damaged: ${String(row?.quick_check)}`);
    } catch (error) {
      await db.close();
      throw error;
    }
    return { db, close: () => db.close().then(remove) };
  } catch (error) {
    await remove();
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      `${path} cannot be read: ${errorMessage(error)}. If Eneru is writing it, stop Eneru or try again.`,
    );
  }
}

async function copyOf(from: string, to: string, isNeeded: boolean): Promise<void> {
  const found = await stat(from).catch(() => null);
  if (found === null && !isNeeded) return;
  if (found?.isFile() !== true) throw new ImportError(`${from} is no file in ${dirname(from)}`);
  if (found.size > maxBytes)
    throw new ImportError(`${from} is larger than ${String(maxBytes / 1024 ** 3)} GiB`);
  await copyFile(from, to, constants.COPYFILE_FICLONE);
}
