// The writer of the authentication database, for the command line. Only this file creates and deletes users and API keys. It
// stores only hashes; a key is returned once.
import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '../../../../shared/domain/status/role.js';
import { AuthConnection, StoreUnavailable, identityOf } from './connection.js';
import { createAuthFile } from './create-auth-file.js';
import { hashPassword } from './password.js';
import { guardSideFiles } from './side-files.js';

/** Times are Unix seconds. */
export interface UserRecord {
  readonly name: string;
  readonly createdAt: number;
  readonly passwordAt: number;
  readonly role: UserRole;
}

/** A user is a person: what may read nothing but metrics is a program and has a key. */
export type UserRole = Exclude<Role, 'metrics'>;

export interface KeyRecord {
  readonly label: string;
  readonly createdAt: number;
  readonly role: Role;
  readonly expiresAt: number | null;
  /** At most ten minutes older than the last use; null before the first. */
  readonly usedAt: number | null;
}

const userColumns = 'name, created_at AS createdAt, password_at AS passwordAt, role';

export class AuthAdministration {
  readonly #db: AuthConnection;

  private constructor(db: AuthConnection) {
    this.#db = db;
  }

  /** Null when the file does not exist and must not be created. Rejects with StoreUnavailable. */
  static async open(
    path: string,
    { create }: { readonly create: boolean },
  ): Promise<AuthAdministration | null> {
    if ((await identityOf(path)) === null) {
      if (!create) return null;
      await createAuthFile(path);
    }
    await guardSideFiles(path, { reserve: true });
    const db = await AuthConnection.open(path);
    try {
      await db.check('required');
      return new AuthAdministration(db);
    } catch (error) {
      await db.close();
      throw error;
    }
  }

  async users(): Promise<readonly UserRecord[]> {
    return (await this.#db.all(`SELECT ${userColumns} FROM users ORDER BY name`)) as UserRecord[];
  }

  async user(name: string): Promise<UserRecord | null> {
    const [row] = await this.#db.all(`SELECT ${userColumns} FROM users WHERE name = ?`, name);
    return (row as UserRecord | undefined) ?? null;
  }

  /** False when the user already exists. */
  async createUser(
    name: string,
    password: string,
    unixSeconds: number,
    role: UserRole = 'control',
  ): Promise<boolean> {
    const sql = `INSERT INTO users (name, hash, stamp, created_at, password_at, role) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING`;
    const at = Math.floor(unixSeconds);
    return (await this.#db.run(sql, name, await hashPassword(password), newStamp(), at, at, role)) > 0;
  }

  /** Applies to the open sessions of the user too. False when there is no such user. */
  async setRole(name: string, role: UserRole): Promise<boolean> {
    return (await this.#db.run('UPDATE users SET role = ? WHERE name = ?', role, name)) > 0;
  }

  /** Also ends the sessions of the user, which are valid for one stamp. False when there is no such user. */
  async setPassword(name: string, password: string, unixSeconds: number): Promise<boolean> {
    const sql = 'UPDATE users SET hash = ?, stamp = ?, password_at = ? WHERE name = ?';
    const hash = await hashPassword(password);
    return (await this.#db.run(sql, hash, newStamp(), Math.floor(unixSeconds), name)) > 0;
  }

  /** False when there is no such user. */
  async deleteUser(name: string): Promise<boolean> {
    return (await this.#db.run('DELETE FROM users WHERE name = ?', name)) > 0;
  }

  async keys(): Promise<readonly KeyRecord[]> {
    const sql = `SELECT label, created_at AS createdAt, role, expires_at AS expiresAt, used_at AS usedAt
      FROM api_keys ORDER BY label`;
    return (await this.#db.all(sql)) as KeyRecord[];
  }

  /** Returns the key, which is not stored; null when the label already exists. */
  async createKey(
    label: string,
    unixSeconds: number,
    { role = 'control', expiresAt = null }: Partial<Pick<KeyRecord, 'role' | 'expiresAt'>> = {},
  ): Promise<string | null> {
    const key = `rt_${randomBytes(32).toString('base64url')}`;
    const digest = createHash('sha256').update(key).digest();
    const sql = `INSERT INTO api_keys (label, digest, created_at, role, expires_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING`;
    const made = await this.#db.run(sql, label, digest, Math.floor(unixSeconds), role, expiresAt);
    return made > 0 ? key : null;
  }

  /** False when there is no such key. */
  async revokeKey(label: string): Promise<boolean> {
    return (await this.#db.run('DELETE FROM api_keys WHERE label = ?', label)) > 0;
  }

  close(): Promise<void> {
    return this.#db.close();
  }
}

export function isStoreUnavailable(error: unknown): error is StoreUnavailable {
  return error instanceof StoreUnavailable;
}

function newStamp(): string {
  return randomBytes(16).toString('hex');
}
