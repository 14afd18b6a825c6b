// Creates auth.db where there is none: writes a complete temporary file with its mode, then links it to its path in one step.
// No reader sees an incomplete file, and two concurrent creators use the same one.
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AuthConnection, StoreUnavailable } from './connection.js';
import { authSchema } from './schema.js';
import { sideFiles } from './side-files.js';
import { errorMessage } from '../../../../shared/domain/base/error-message.js';

/** See specification/storage.md#places. */
const fileMode = 0o640;
/** As for the directory of the history. */
const directoryMode = 0o750;

/** Rejects with StoreUnavailable. The user of this process becomes the owner. */
export async function createAuthFile(path: string): Promise<void> {
  const temporaryPath = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: directoryMode });
    const file = await open(temporaryPath, 'wx', fileMode);
    // The umask does not apply.
    await file.chmod(fileMode);
    await file.close();
  } catch (error) {
    throw cannotCreate(path, error);
  }
  try {
    await fill(temporaryPath);
    await link(temporaryPath, path);
  } catch (error) {
    // Another process has created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotCreate(path, error);
  } finally {
    for (const name of ['', ...sideFiles]) await rm(temporaryPath + name, { force: true });
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

function cannotCreate(path: string, error: unknown): StoreUnavailable {
  const message = errorMessage(error);
  return new StoreUnavailable(`${path} cannot be created: ${message}`);
}
