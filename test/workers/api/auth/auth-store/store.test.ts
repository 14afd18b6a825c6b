import { expect } from 'chai';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { skipFor } from '../../../../fixtures/skip.js';
import { addUser, administer } from '../../../../fixtures/auth-database.js';
import { AuthAdministration } from '../../../../../workers/api/auth/auth-store/administration.js';
import { AuthConnection, StoreUnavailable } from '../../../../../workers/api/auth/auth-store/connection.js';
import { isPassword } from '../../../../../workers/api/auth/auth-store/password.js';
import { AuthFile } from '../../../../../workers/api/auth/auth-store/store.js';
import { temporaryFolder } from '../../../../fixtures/temporary-folder.js';

const asRoot = process.getuid?.() === 0;

describe('the authentication database', () => {
  // Each password hash takes a tenth of a second, longer on a busy machine.
  let folder: string;
  let path: string;
  let store: AuthFile;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, 'auth.db');
    // Its own limit is half a second above the wait for a lock.
    store = new AuthFile(path, { deadlineMs: 20_000 });
  });
  afterEach(async () => {
    await store.close();
  });

  async function refusal(asked: Promise<unknown> = store.hasUsers()): Promise<string> {
    try {
      return `answered ${String(await asked)}`;
    } catch (error) {
      if (error instanceof StoreUnavailable) return error.message;
      throw error;
    }
  }

  it('is not created by a read: without it there is no user', async () => {
    expect(await store.hasUsers()).to.equal(false);
    expect(await store.user('alice')).to.equal(null);
    expect(await store.apiKey(`rt_${'k'.repeat(43)}`, 10)).to.equal(null);
    expect(await AuthAdministration.open(path, { create: false })).to.equal(null);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('is created with mode 0640 under any umask, with empty side files that nobody else can create', async () => {
    const before = process.umask(0);
    try {
      await administer(path, (database) => database.createUser('alice', 'correct horse', 1_700_000_000));
    } finally {
      process.umask(before);
    }
    expect(statSync(path).mode & 0o777).to.equal(0o640);
    const beside = ['auth.db-journal', 'auth.db-shm', 'auth.db-wal'];
    expect(readdirSync(folder)).to.deep.equal(['auth.db', ...beside]);
    expect(beside.map((name) => statSync(join(folder, name)).size)).to.deep.equal([0, 0, 0]);
  });

  it('shows a new user immediately to an open reader', async () => {
    expect(await store.hasUsers()).to.equal(false);
    await administer(path, (database) => database.createUser('alice', 'correct horse', 1_700_000_000));
    expect(await store.hasUsers()).to.equal(true);
    const alice = await store.user('alice');
    expect(await isPassword('correct horse', alice?.hash ?? Buffer.alloc(0))).to.equal(true);
    expect(await isPassword('correct hors', alice?.hash ?? Buffer.alloc(0))).to.equal(false);
    await administer(path, (database) => database.deleteUser('alice'));
    expect(await store.user('alice')).to.equal(null);
    expect(await store.hasUsers()).to.equal(false);
  });

  it('creates a new stamp with every password, even for a user of the same name', async () => {
    const stamps = new Set<string | undefined>();
    const look = async () => stamps.add((await store.user('alice'))?.stamp);
    await administer(path, async (database) => {
      await database.createUser('alice', 'correct horse', 1);
      await look();
      await database.setPassword('alice', 'correct horse', 2);
      await look();
      await database.deleteUser('alice');
      await database.createUser('alice', 'correct horse', 3);
      await look();
    });
    expect(stamps.size).to.equal(3);
  });

  it('reports a change that is not possible', async () => {
    await administer(path, async (database) => {
      expect(await database.createUser('alice', 'correct horse', 1)).to.equal(true);
      expect(await database.createUser('alice', 'another horse', 2)).to.equal(false);
      expect(await database.setPassword('bob', 'another horse', 2)).to.equal(false);
      expect(await database.deleteUser('bob')).to.equal(false);
      expect(await database.user('bob')).to.equal(null);
      expect(await database.revokeKey('grafana')).to.equal(false);
      expect(await database.users()).to.deep.equal([
        { name: 'alice', createdAt: 1, passwordAt: 1, role: 'control' },
      ]);
    });
  });

  it('finds a key by its digest until it is revoked', async () => {
    const key = (await administer(path, (database) => database.createKey('grafana', 1))) ?? '';
    expect(key).to.match(/^rt_[A-Za-z0-9_-]{43}$/);
    expect(await store.apiKey(key, 10)).to.deep.equal({ label: 'grafana', role: 'control', expired: false });
    expect(await store.apiKey(`${key.slice(0, -1)}-`, 10)).to.equal(null);
    expect(await store.apiKey(`${key}x`, 10)).to.equal(null);
    await administer(path, async (database) => {
      expect(await database.createKey('grafana', 2)).to.equal(null);
      expect(await database.keys()).to.deep.equal([
        { label: 'grafana', createdAt: 1, role: 'control', expiresAt: null, usedAt: 10 },
      ]);
      expect(await database.revokeKey('grafana')).to.equal(true);
    });
    expect(await store.apiKey(key, 10)).to.equal(null);
  });

  it('contains neither passwords nor keys, and nothing deleted', async () => {
    const { key, hash } = await administer(path, async (database) => {
      await database.createUser('alice', 'correct horse', 1);
      return { key: (await database.createKey('grafana', 1)) ?? '', hash: (await store.user('alice'))?.hash };
    });
    expect(readFileSync(path).includes('correct horse')).to.equal(false);
    expect(readFileSync(path).includes(key.slice(3))).to.equal(false);
    expect(readFileSync(path).includes(hash ?? 'missing')).to.equal(true);
    await administer(path, (database) => database.deleteUser('alice'));
    expect(readFileSync(path).includes(hash ?? 'missing')).to.equal(false);
  });

  it('is created once by two simultaneous writers', async () => {
    const names = ['alice', 'bob', 'carol', 'dave'];
    await Promise.all(
      names.map((name) => administer(path, (database) => database.createUser(name, 'correct horse', 1))),
    );
    expect((await administer(path, (database) => database.users())).map(({ name }) => name)).to.deep.equal(
      names,
    );
    expect(readdirSync(folder).filter((name) => !/^auth\.db(-journal|-shm|-wal)?$/.test(name))).to.deep.equal(
      [],
    );
  });

  it('is reopened when another file replaces it, or when it is removed', async () => {
    await addUser(path, 'alice');
    expect(await store.hasUsers()).to.equal(true);
    renameSync(path, `${path}.old`);
    expect(await store.hasUsers()).to.equal(false);
    renameSync(`${path}.old`, path);
    expect(await store.hasUsers()).to.equal(true);
  });

  it('waits for a writer, within a limit', async () => {
    await addUser(path, 'alice');
    const writer = await AuthConnection.open(path);
    await writer.exec('BEGIN EXCLUSIVE');
    const asked = refusal();
    await writer.exec('COMMIT');
    expect(await asked).to.equal('answered true');
    await writer.close();
  });

  it('gives up on a file that stays locked', async () => {
    await addUser(path, 'alice');
    const impatient = new AuthFile(path, { deadlineMs: 50 });
    const writer = await AuthConnection.open(path);
    await writer.exec('BEGIN EXCLUSIVE');
    expect(await refusal(impatient.hasUsers())).to.contain('does not answer within 0.05 s');
    await writer.exec('COMMIT');
    await writer.close();
    await impatient.close();
  });

  describe('that cannot be trusted', () => {
    const cases: readonly (readonly [string, RegExp, () => void | Promise<void>])[] = [
      ['text', /not a database/, () => writeFileSync(path, 'x'.repeat(4096))],
      ['an empty file', /not an authentication database/, () => writeFileSync(path, '')],
      ['a directory', /not a regular file/, () => void mkdirSync(path)],
      [
        'a link',
        /not a regular file/,
        async () => {
          await addUser(path, 'alice');
          renameSync(path, `${path}.real`);
          symlinkSync(`${path}.real`, path);
        },
      ],
      [
        'a file every user may write',
        /every user may write/,
        async () => {
          await addUser(path, 'alice');
          chmodSync(path, 0o666);
        },
      ],
      [
        'one of a newer version',
        /another version/,
        async () => {
          await addUser(path, 'alice');
          const db = await AuthConnection.open(path);
          await db.exec('PRAGMA user_version = 99');
          await db.close();
        },
      ],
      [
        'a damaged page',
        /cannot be used/,
        async () => {
          await addUser(path, 'alice');
          const bytes = readFileSync(path);
          bytes.fill(0xff, 4096);
          writeFileSync(path, bytes);
        },
      ],
    ];
    for (const [what, why, make] of cases)
      it(`is rejected: ${what}`, async () => {
        await make();
        expect(await refusal()).to.match(why);
        expect(
          await refusal(AuthAdministration.open(path, { create: true }).then((db) => db?.users())),
        ).to.match(why);
      });

    it('is rejected when another user owns it', async function () {
      skipFor(this, !asRoot && 'only root can make files of another user');
      await addUser(path, 'alice');
      chownSync(path, 65534, 65534);
      expect(await refusal()).to.match(/belongs to user 65534/);
    });

    it('is checked again each time, and works as soon as it is repaired', async () => {
      await addUser(path, 'alice');
      const good = readFileSync(path);
      writeFileSync(path, 'x'.repeat(good.length));
      expect(await refusal()).to.match(/not a database/);
      writeFileSync(path, good);
      expect(await refusal()).to.equal('answered true');
    });

    it('is not created in an unusable place', async () => {
      writeFileSync(join(folder, 'file'), '');
      expect(existsSync(path)).to.equal(false);
      expect(
        await refusal(AuthAdministration.open(join(folder, 'file', 'auth.db'), { create: true })),
      ).to.contain('cannot be created');
    });
  });
});
