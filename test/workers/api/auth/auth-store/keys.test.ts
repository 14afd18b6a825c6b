// What auth.db keeps of a key besides its digest, and the file of the version without roles.
import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { AuthConnection } from '../../../../../workers/api/auth/auth-store/connection.js';
import { AuthFile } from '../../../../../workers/api/auth/auth-store/store.js';
import { administer } from '../../../../fixtures/auth-database.js';
import { temporaryFolder } from '../../../../fixtures/temporary-folder.js';

describe('the authentication database', () => {
  // A lock is waited for two seconds, and a busy disk may hold it for longer.
  /** Half a second above that wait is too short for a busy machine. */
  const patient = { deadlineMs: 20_000 };
  let path: string;
  let store: AuthFile;
  beforeEach(() => {
    path = join(temporaryFolder('/dev/shm'), 'auth.db');
    store = new AuthFile(path, patient);
  });
  afterEach(async () => {
    await store.close();
  });

  describe('with keys that expire', () => {
    const begin = 1_800_000_000;
    const day = 86_400;
    const made = (expiresAt: number | null) =>
      administer(
        path,
        async (db) => (await db.createKey('grafana', begin, { expiresAt, role: 'read' })) ?? '',
      );
    const expired = async (key: string, at: number) => (await store.apiKey(key, at))?.expired;

    it('accepts one until its last second', async () => {
      const key = await made(begin + day);
      expect(await expired(key, begin)).to.equal(false);
      expect(await expired(key, begin + day - 1)).to.equal(false);
      expect(await expired(key, begin + day)).to.equal(true);
      expect(
        await expired(await administer(path, async (db) => (await db.createKey('x', begin)) ?? ''), 9e9),
      ).to.equal(false);
    });

    it('accepts none when the clock was set back behind its last use or its creation', async () => {
      const key = await made(begin + day);
      expect(await expired(key, begin - 2 * 3600)).to.equal(true);
      expect(await expired(key, begin + day - 60)).to.equal(false);
      await store.hasUsers();
      expect(await expired(key, begin + day)).to.equal(true);
      expect(await expired(key, begin + day / 2)).to.equal(true);
      // A correction of the clock by some minutes is none.
      expect(await expired(key, begin + day - 1200)).to.equal(false);
    });

    it('keeps the time of the last use, at most one write in ten minutes', async () => {
      const key = await made(null);
      const used = async () => (await administer(path, (db) => db.keys()))[0]?.usedAt;
      expect(await used()).to.equal(null);
      for (const [at, kept] of [
        [begin, begin],
        [begin + 599, begin],
        [begin + 600, begin + 600],
      ] as const) {
        await store.apiKey(key, at + 0.9);
        await store.hasUsers();
        expect(await used(), String(at - begin)).to.equal(kept);
      }
      const unused = await administer(
        path,
        async (db) => (await db.createKey('old', begin, { expiresAt: begin + 1 })) ?? '',
      );
      await store.apiKey(unused, begin + 5);
      await store.hasUsers();
      expect((await administer(path, (db) => db.keys()))[1]?.usedAt).to.equal(null);
    });

    it('accepts a key although its use cannot be written', async () => {
      const key = await made(begin + day);
      const writer = await AuthConnection.open(path);
      await writer.exec(
        `CREATE TRIGGER full BEFORE UPDATE ON api_keys BEGIN SELECT RAISE(FAIL, 'disk full'); END`,
      );
      expect(await expired(key, begin)).to.equal(false);
      await store.hasUsers();
      expect(await expired(key, begin + 1)).to.equal(false);
      await writer.close();
    });
  });

  describe('of the version without roles', () => {
    const key = `rt_${'k'.repeat(43)}`;
    const digest = createHash('sha256').update(key).digest('hex');
    beforeEach(async () => {
      await administer(path, () => Promise.resolve());
      const db = await AuthConnection.open(path);
      // The tables as that version created them.
      await db.exec(`
        DROP TABLE users; DROP TABLE api_keys;
        CREATE TABLE users (name TEXT PRIMARY KEY NOT NULL, hash BLOB NOT NULL CHECK (length(hash) = 96), stamp TEXT NOT NULL,
          created_at INTEGER NOT NULL, password_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE api_keys (label TEXT PRIMARY KEY NOT NULL, digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
          created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO users VALUES ('alice', zeroblob(96), 's', 1, 1);
        INSERT INTO api_keys VALUES ('grafana', x'${digest}', 1);
        PRAGMA user_version = 1;`);
      await db.close();
    });
    const version = async (): Promise<unknown> => {
      const db = await AuthConnection.open(path);
      try {
        return (await db.all('PRAGMA user_version'))[0];
      } finally {
        await db.close();
      }
    };
    const grafana = { label: 'grafana', role: 'control', expired: false };

    it('is migrated by its first reader, and earlier users and keys have the role control', async () => {
      expect(await store.apiKey(key, 10)).to.deep.equal(grafana);
      expect((await store.user('alice'))?.role).to.equal('control');
      expect(await version()).to.deep.equal({ user_version: 2 });
    });

    it('is migrated once by writers and readers at the same time', async () => {
      const readers = Array.from({ length: 4 }, () => new AuthFile(path, patient));
      const found = await Promise.all([
        ...readers.map((one) => one.apiKey(key, 10)),
        administer(path, (db) => db.setRole('alice', 'read')),
      ]);
      expect(found).to.deep.equal([grafana, grafana, grafana, grafana, true]);
      for (const one of readers) await one.close();
      expect((await store.user('alice'))?.role).to.equal('read');
      expect(await version()).to.deep.equal({ user_version: 2 });
    });

    it('is read as if it were migrated while it cannot be written, and is left alone by a process that only looks', async () => {
      const writer = await AuthConnection.open(path);
      await writer.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE');
      expect((await store.user('alice'))?.role).to.equal('control');
      expect(await store.apiKey(key, 10)).to.deep.equal(grafana);
      await writer.exec('ROLLBACK');
      await writer.close();
      const looking = new AuthFile(path, { ...patient, looksOnly: true });
      expect(await looking.hasUsers()).to.equal(true);
      await looking.close();
      expect(await version()).to.deep.equal({ user_version: 1 });
    });
  });
});
