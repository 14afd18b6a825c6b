// Makes auth.db where there is none: beside its place, whole and with its mode, and then put there in one step. Nobody
// ever finds half a file, and two who make it at once find the same one.
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AuthConnection, StoreUnavailable } from './connection.js';
import { authSchema } from './schema.js';

/** Contract 6. */
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
    const connection = await AuthConnection.open(beside);
    try {
      await connection.exec(`BEGIN; ${authSchema} COMMIT;`);
    } finally {
      await connection.close();
    }
    await link(beside, path);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new StoreUnavailable(`${path} cannot be made: ${message}`);
  } finally {
    await rm(beside, { force: true });
  }
}
