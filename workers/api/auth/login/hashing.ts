// Checks passwords in a separate thread, one at a time, with a short queue: logins do not delay other answers.
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import { decoyHash } from '../auth-store/password.js';
import type { PasswordTask, verifyPassword } from './verify-password.js';

/** Logins that wait for the one in progress (specification/security.md#login-limits). */
const maxWaiting = 16;
/** The thread ends after this time without a login, to free its memory. */
const idleMs = 10_000;

const task: typeof verifyPassword.name = 'verifyPassword';

export class Hashing {
  #pool: Promise<Piscina<PasswordTask, boolean>> | undefined;
  #busy = 0;

  get full(): boolean {
    return this.#busy > maxWaiting;
  }

  /** Whether the password matches `hash`. Without a hash it takes the same time and returns false. */
  async isPassword(password: string, hash: () => Promise<Uint8Array | null>): Promise<boolean> {
    this.#busy += 1;
    try {
      const stored = await hash();
      const pool = await this.prepare();
      const right = await pool.run({ password, hash: stored ?? decoyHash });
      return right && stored !== null;
    } finally {
      this.#busy -= 1;
    }
  }

  /** Loads the module; the thread starts with the first check. */
  prepare(): Promise<Piscina<PasswordTask, boolean>> {
    this.#pool ??= openPool();
    return this.#pool;
  }

  async close(): Promise<void> {
    await (await this.#pool)?.destroy();
  }
}

async function openPool(): Promise<Piscina<PasswordTask, boolean>> {
  const { Piscina: Pool } = await import('piscina');
  return new Pool<PasswordTask, boolean>({
    filename: fileURLToPath(new URL('./verify-password.js', import.meta.url)),
    name: task,
    minThreads: 0,
    maxThreads: 1,
    concurrentTasksPerWorker: 1,
    idleTimeout: idleMs,
  });
}
