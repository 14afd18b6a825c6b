// Authentication databases for tests: one with an API key, and an unreadable one.
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import sqlite3 from 'sqlite3';
import { authSchema } from '../../../workers/api/auth/auth-store/schema.js';

/** A key in the format of the daemon. */
export const apiKey = `rt_${'k'.repeat(43)}`;
/** A key of each role, and one of `control` that has expired. */
export const roleKeys = {
  metrics: `rt_${'m'.repeat(43)}`,
  read: `rt_${'r'.repeat(43)}`,
  control: apiKey,
  expired: `rt_${'e'.repeat(43)}`,
} as const;

/** Creates a database with `apiKey` as "ops", the other keys by their names, and one user without a usable password. */
export function makeAuthFile(path: string): Promise<void> {
  const key = (label: string, text: string, more: string): string =>
    `INSERT INTO api_keys (label, digest, created_at, role, expires_at)
     VALUES ('${label}', x'${createHash('sha256').update(text).digest('hex')}', 1, ${more});`;
  const rows = `
    ${key('ops', apiKey, `'control', NULL`)}
    ${key('prometheus', roleKeys.metrics, `'metrics', NULL`)}
    ${key('wall', roleKeys.read, `'read', 4000000000`)}
    ${key('old', roleKeys.expired, `'control', 1000000`)}
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
