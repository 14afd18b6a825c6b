import { expect } from 'chai';
import { chmodSync, chownSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appendLine, readLines } from '../../../workers/ssh/known-hosts/file.js';
import { AuthAdministration } from '../../../workers/api/auth/auth-store/administration.js';
import { AuthFile } from '../../../workers/api/auth/auth-store/store.js';
import { openDatabase } from '../../../workers/storage/open-database.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

/** A user ID that no machine uses. */
const stranger = 1_999_999_999;

describe('a file that another worker plants in a shared directory', () => {
  let directory: string;
  beforeEach(function () {
    skipFor(this, process.getuid?.() !== 0 && 'only root can make files of another user');
    directory = temporaryFolder();
    chmodSync(directory, 0o1777);
  });
  const plant = (name: string): string => {
    const path = join(directory, name);
    writeFileSync(path, 'x', { mode: 0o666 });
    chownSync(path, stranger, stranger);
    return path;
  };

  it('is not read as a list of host keys', async () => {
    const path = plant('known_hosts');
    const read = await readLines(path);
    expect(read.ok ? read.text : read.fault).to.match(/^belongs to a user other than/);
    expect(await appendLine(path, 'nas ssh-ed25519 AAAA\n')).to.match(/^belongs to a user other than/);
  });

  it('is read as a list of host keys when the directory belongs to its owner', async () => {
    const path = plant('known_hosts');
    chownSync(directory, stranger, stranger);
    expect(await readLines(path)).to.deep.equal({ ok: true, text: 'x' });
  });

  for (const side of ['-journal', '-wal', '-shm']) {
    it(`is not used as ${side} of the history`, async () => {
      plant(`ridethrough.db${side}`);
      const outcome = await openDatabase(join(directory, 'ridethrough.db')).then(
        () => 'opened',
        (error: unknown) => String(error),
      );
      expect(outcome).to.match(/belongs to user 1999999999, who could write to the history through it/);
    });
  }

  for (const side of ['-journal', '-wal', '-shm']) {
    it(`is not used as ${side} of the authentication database`, async () => {
      const path = join(directory, 'auth.db');
      await (await AuthAdministration.open(path, { create: true }))?.close();
      rmSync(path + side);
      plant(`auth.db${side}`);
      const outcomeOf = (attempt: Promise<unknown>): Promise<string> => attempt.then(() => 'opened', String);
      const refusal = /belongs to user 1999999999, who could add users through it/;
      const reader = new AuthFile(path);
      expect(await outcomeOf(reader.hasUsers())).to.match(refusal);
      expect(await outcomeOf(AuthAdministration.open(path, { create: false }))).to.match(refusal);
    });
  }

  it('cannot take the place of a side file of the authentication database', async () => {
    const path = join(directory, 'auth.db');
    const database = await AuthAdministration.open(path, { create: true });
    await database?.createUser('alice', 'correct horse battery', 1_700_000_000);
    await database?.close();
    const reader = new AuthFile(path);
    expect(await reader.hasUsers()).to.equal(true);
    await reader.close();
    for (const side of ['-journal', '-wal', '-shm']) expect(statSync(path + side).uid, side).to.equal(0);
  });

  it('cannot take the place of a side file of the history, neither while it is open nor before its first write', async () => {
    const path = join(directory, 'ridethrough.db');
    const { db } = await openDatabase(path);
    for (const side of ['', '-wal', '-shm'])
      expect(existsSync(path + side) && statSync(path + side).uid, side).to.equal(0);
    await db.close();
  });
});
