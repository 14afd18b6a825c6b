// Authentication databases for tests: one with an API key, and an unreadable one.
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import sqlite3 from 'sqlite3';
import { authSchema } from '../../../workers/api/auth/auth-store/schema.js';

/** A key in the format of the daemon. */
export const apiKey = `rt_${'k'.repeat(43)}`;

/** Creates a database with `apiKey` as "ops", and one user without a usable password. */
export function makeAuthFile(path: string): Promise<void> {
  const digest = createHash('sha256').update(apiKey).digest('hex');
  const rows = `
    INSERT INTO api_keys (label, digest, created_at) VALUES ('ops', x'${digest}', 1);
    INSERT INTO users (name, hash, stamp, created_at, password_at) VALUES ('alice', zeroblob(96), 's', 1, 1);`;
  return new Promise((resolve, reject) => {
    const db = new sqlite3.Database(path);
    db.exec(authSchema + rows, (failed) =>
      db.close((error) => {
        const fault = failed ?? error;
        if (fault === null) resolve();
        else reject(fault);
      }),
    );
  });
}

/** Creates a file that is not a readable database. */
export function makeUnreadable(path: string): void {
  mkdirSync(path);
}
