// The program of the password thread: one check per task, without state between tasks.
import { isPassword } from '../auth-store/password.js';

export interface PasswordTask {
  readonly password: string;
  readonly hash: Uint8Array;
}

/** hashing.ts, which starts the thread, uses this name. */
export function verifyPassword({ password, hash }: PasswordTask): Promise<boolean> {
  return isPassword(password, hash);
}
