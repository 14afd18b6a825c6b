// The tables of auth.db, and the version that says whether this build understands them.

/** `user_version` of the file. A file with another one is left alone. */
export const authSchemaVersion = 1;

/** "RTAU": tells this database from any other of the machine. */
export const authApplicationId = 0x52_54_41_55;

/**
 * `stamp` is drawn anew with every password: a session is good while the stamp it was opened with is. Hashes are the 96
 * bytes of scrypt-kdf; a key's digest is the SHA-256 of the whole key.
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
