// The tables of auth.db, the version of their schema, and how a file of the earlier version becomes one of this version.

/** `user_version` of the file. A file with another one is not used, except the earlier one, which is migrated. */
export const authSchemaVersion = 2;
export const earlierAuthSchemaVersion = 1;

/** "RTAU": identifies this kind of database. */
export const authApplicationId = 0x52_54_41_55;

/**
 * Times are Unix seconds. `stamp` is random and changes with every password: a session is valid while its stamp is. Hashes are the 96 bytes of
 * scrypt-kdf; the digest of a key is the SHA-256 of the full key. `used_at` is at most ten minutes older than the last use.
 */
export const authSchema = `
  CREATE TABLE users (
    name        TEXT PRIMARY KEY NOT NULL,
    hash        BLOB NOT NULL CHECK (length(hash) = 96),
    stamp       TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    password_at INTEGER NOT NULL,
    role        TEXT NOT NULL DEFAULT 'control' CHECK (role IN ('read', 'control'))
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE api_keys (
    label      TEXT PRIMARY KEY NOT NULL,
    digest     BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    created_at INTEGER NOT NULL,
    role       TEXT NOT NULL DEFAULT 'control' CHECK (role IN ('metrics', 'read', 'control')),
    expires_at INTEGER,
    used_at    INTEGER
  ) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${String(authApplicationId)};
  PRAGMA user_version = ${String(authSchemaVersion)};
`;

/** Users and keys of before may do what they could do: everything. */
export const authMigration = `
  ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'control' CHECK (role IN ('read', 'control'));
  ALTER TABLE api_keys ADD COLUMN role TEXT NOT NULL DEFAULT 'control'
    CHECK (role IN ('metrics', 'read', 'control'));
  ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
  ALTER TABLE api_keys ADD COLUMN used_at INTEGER;
  PRAGMA user_version = ${String(authSchemaVersion)};
`;

/** For a file that cannot be written: these names come before those of the file, and answer as after the migration. */
export const authViewsOfEarlier = `
  PRAGMA temp_store = MEMORY;
  CREATE TEMP VIEW users AS SELECT *, 'control' AS role FROM main.users;
  CREATE TEMP VIEW api_keys AS
    SELECT *, 'control' AS role, NULL AS expires_at, NULL AS used_at FROM main.api_keys;
`;
