// Makes auth.db where there is none: beside its place, whole and with its mode, and then put there in one step. Nobody
// ever finds half a file, and two who make it at once find the same one.
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AuthConnection, StoreUnavailable } from './connection.js';
import { authSchema } from './schema.js';
import { sideFiles } from './side-files.js';

/** See specification/storage.md#places. */
const fileMode = 0o640;
/** As the history's, should it not be there yet. */
const directoryMode = 0o750;

/** Rejects with StoreUnavailable. The caller is the user to whom the file is to belong. */
export async function createAuthFile(path: string): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: directoryMode });
    const file = await open(beside, 'wx', fileMode);
    // Whatever the umask.
    await file.chmod(fileMode);
    await file.close();
  } catch (error) {
    throw unmakeable(path, error);
  }
  try {
    await fill(beside);
    await link(beside, path);
  } catch (error) {
    // Somebody else was quicker, and his is as good.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unmakeable(path, error);
  } finally {
    for (const name of ['', ...sideFiles]) await rm(beside + name, { force: true });
  }
}

async function fill(path: string): Promise<void> {
  const connection = await AuthConnection.open(path);
  try {
    await connection.exec(`BEGIN; ${authSchema} COMMIT;`);
  } finally {
    await connection.close();
  }
}

function unmakeable(path: string, error: unknown): StoreUnavailable {
  const message = error instanceof Error ? error.message : String(error);
  return new StoreUnavailable(`${path} cannot be made: ${message}`);
}
