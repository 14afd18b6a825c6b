// The tables of auth.db, and the version of their schema.

/** `user_version` of the file. A file with another one is not used. */
export const authSchemaVersion = 1;

/** "RTAU": identifies this kind of database. */
export const authApplicationId = 0x52_54_41_55;

/**
 * `stamp` is random and changes with every password: a session is valid while its stamp is. Hashes are the 96 bytes of
 * scrypt-kdf; the digest of a key is the SHA-256 of the full key.
 */
export const authSchema = `
  CREATE TABLE users (
    name        TEXT PRIMARY KEY NOT NULL,
    hash        BLOB NOT NULL CHECK (length(hash) = 96),
    stamp       TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    password_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE api_keys (
    label      TEXT PRIMARY KEY NOT NULL,
    digest     BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${String(authApplicationId)};
  PRAGMA user_version = ${String(authSchemaVersion)};
`;
