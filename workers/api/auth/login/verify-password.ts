// What the password thread runs: one check per task. It holds nothing between two tasks.
import { isPassword } from '../auth-store/password.js';

export interface PasswordTask {
  readonly password: string;
  readonly hash: Uint8Array;
}

/** The name is known to hashing.ts, which starts the thread. */
export function verifyPassword({ password, hash }: PasswordTask): Promise<boolean> {
  return isPassword(password, hash);
}
