// The directory of the records: created for this user alone, locked as long as it is open, and used through its descriptor,
// as with openat(2): a name that changes meanwhile leads nowhere else.
import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { lstat, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorMessage } from '../../shared/domain/base/error-message.js';
import { lockDirectory, lockTries } from '../../shared/runtime/instance-lock.js';
import { systemCode } from './faults.js';

/** As the storage worker creates the directory of the databases. */
const parentMode = 0o750;
const ownMode = 0o700;

export type Held =
  | { readonly ok: true; readonly directory: OpenDirectory }
  /** Why it is not locked; `error`: of the system, where it is one. */
  | { readonly ok: false; readonly reason: string; readonly error?: unknown };

export class OpenDirectory {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** The path of an entry; without a name that of the directory. */
  path(name = ''): string {
    return `/proc/self/fd/${String(this.#handle.fd)}/${name}`;
  }

  /** Waits until names that were changed are on disk. */
  sync(): Promise<void> {
    return this.#handle.sync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /** Whether `path` still leads to it. */
  async isAt(path: string): Promise<boolean> {
    const [own, there] = await Promise.all([
      this.#handle.stat({ bigint: true }),
      lstat(path, { bigint: true }),
    ]);
    return own.dev === there.dev && own.ino === there.ino;
  }
}

export class RecordDirectory {
  readonly path: string;
  #open: OpenDirectory | null = null;
  #tries = lockTries;

  constructor(path: string) {
    this.path = path;
  }

  /** The locked directory; creates, opens and locks it where it is not, or where the path leads to another one by now. */
  async hold(): Promise<Held> {
    try {
      if (this.#open !== null && (await this.#isLost(this.#open))) await this.release();
      return this.#open === null ? await this.#take() : { ok: true, directory: this.#open };
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      return { ok: false, reason: `${this.path} cannot be used (${errorMessage(error)})`, error };
    }
  }

  /** Unlocks it. */
  async release(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.close();
  }

  async #isLost(open: OpenDirectory): Promise<boolean> {
    try {
      return !(await open.isAt(this.path));
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return true;
      throw error;
    }
  }

  async #take(): Promise<Held> {
    await createDirectory(this.path);
    const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
    const handle = await open(this.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    const reason = await this.#refusal(handle).catch(async (error: unknown) => {
      await handle.close();
      throw error;
    });
    if (reason !== null) {
      await handle.close();
      return { ok: false, reason };
    }
    this.#open = new OpenDirectory(handle);
    return { ok: true, directory: this.#open };
  }

  async #refusal(handle: FileHandle): Promise<string | null> {
    const about = await handle.stat({ bigint: true });
    if (!isOwn(about))
      return `${this.path} belongs to the user ${String(about.uid)}, who could change the records: move it elsewhere`;
    // Independent of the umask, and of who created it.
    if ((Number(about.mode) & 0o7777) !== ownMode) await handle.chmod(ownMode);
    // The first time a daemon that ends has a moment to do so; later each request tries.
    const lock = await lockDirectory(handle.fd, this.#tries);
    this.#tries = 1;
    if (lock.state === 'held') return null;
    if (lock.state === 'in use')
      return `${this.path} is in use by another daemon, or by a process of this one that its disk holds: end that daemon, or give one of the two another statistics.db_directory`;
    return `${this.path} cannot be locked (${lock.cause}), so another daemon could write to it: install flock (util-linux), and use a local file system`;
  }
}

/** Of the user that this process runs as. */
export function isOwn({ uid }: Pick<BigIntStats, 'uid'>): boolean {
  return Number(uid) === process.geteuid?.();
}

/** Of its parents only the last: when more is missing, a file system is not mounted. */
async function createDirectory(path: string): Promise<void> {
  if (await make(path, ownMode, true)) return;
  await make(dirname(path), parentMode, false);
  await make(path, ownMode, false);
}

/** False when its parent is missing and may be. */
async function make(path: string, mode: number, mayLackParent: boolean): Promise<boolean> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT' && mayLackParent) return false;
    throw error;
  }
  const parent = await open(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await parent.sync();
  } finally {
    await parent.close();
  }
  return true;
}
