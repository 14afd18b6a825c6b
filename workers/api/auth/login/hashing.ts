// Checks passwords in a thread of their own, one at a time, with a short queue: however many people try to log in, the
// answers to everybody else are not late.
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import { decoyHash } from '../auth-store/password.js';
import type { PasswordTask, verifyPassword } from './verify-password.js';

/** So many wait besides the one that is computed (specification/security.md#login-limits). */
const mostWaiting = 16;
/** The thread and its memory go when nobody has logged in for this long. */
const idleMs = 10_000;

const task: typeof verifyPassword.name = 'verifyPassword';

export class Hashing {
  #pool: Promise<Piscina<PasswordTask, boolean>> | undefined;
  #busy = 0;

  /** True while one more login would have to wait behind sixteen. */
  get full(): boolean {
    return this.#busy > mostWaiting;
  }

  /** Whether it is the password of `hash`; without one it takes the same time and is not. */
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

  /** Loads what a check needs; the thread itself starts with the first one. */
  prepare(): Promise<Piscina<PasswordTask, boolean>> {
    this.#pool ??= openPool();
    return this.#pool;
  }

  async close(): Promise<void> {
    await (await this.#pool)?.destroy();
  }
}

async function openPool(): Promise<Piscina<PasswordTask, boolean>> {
  // Only where somebody logs in is it loaded.
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
