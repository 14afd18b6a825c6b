// The recorder as a process: killed at any moment, on disks that fail, beside another daemon.
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { workerCommandLine } from '../../../supervisor/supervision/worker-command.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { isAtLeast, until } from '../../fixtures/until.js';
import { freezable, freezeRefusal, Sandbox, sandboxRefusal, shrinkable } from '../storage/sandbox.js';
import { RecorderProcess } from './recorder-process.js';

const rounds = 40;
const group = 'office-127.0.0.1-3493';
/** Large enough that a kill meets each step of a write. */
const textOf = (round: number): string => `${String(round)} `.repeat(40_000);

describe('the recorder', () => {
  const running: RecorderProcess[] = [];
  const start = async (directory: string, prefix: readonly string[] = []): Promise<RecorderProcess> => {
    const recorder = await RecorderProcess.start(directory, prefix);
    running.push(recorder);
    return recorder;
  };
  afterEach(async () => {
    for (const recorder of running.splice(0)) await recorder.kill();
  });

  it('killed at any moment of a write leaves the old record or the new one, and never one that was answered is missing', async () => {
    const directory = join(temporaryFolder(), 'supervisor');
    let recorder = await start(directory);
    expect(await recorder.keep(group, textOf(0))).to.equal('kept');
    // Follows the time of a write on this machine, so that kills before and after the rename are as frequent.
    let latestMs = 10;
    let [kept, olds, news, answered] = [0, 0, 0, 0];
    for (let round = 1; round <= rounds; round += 1) {
      const keeping = recorder.keep(group, textOf(round));
      await pause(Math.random() * latestMs);
      await recorder.kill();
      const isAnswered = (await keeping) === 'kept';
      recorder = await start(directory);
      const { records, setAside } = await recorder.recall();
      expect(setAside).to.deep.equal([]);
      expect(records).to.have.lengthOf(1);
      const isNew = records[0]?.text === textOf(round);
      expect(isNew || records[0]?.text === textOf(kept), `round ${String(round)}`).to.equal(true);
      if (isAnswered) expect(isNew).to.equal(true);
      latestMs *= isNew ? 0.8 : 1.25;
      if (isNew) kept = round;
      olds += isNew ? 0 : 1;
      news += isNew ? 1 : 0;
      answered += isAnswered ? 1 : 0;
    }
    expect(olds, 'kills before the rename').to.be.above(0);
    expect(news, 'kills after the rename').to.be.above(0);
    console.error(`      ${String(olds)} old, ${String(news)} new, ${String(answered)} of them answered`);
    expect(readdirSync(directory).length).to.be.at.most(2);
  });

  it('without the lock returns nothing and writes nothing, and has it when the other daemon ends', async () => {
    const directory = join(temporaryFolder(), 'supervisor');
    const first = await start(directory);
    expect(await first.keep(group, 'of the first')).to.equal('kept');
    const second = await start(directory);
    const { records, locked, reason } = await second.recall();
    expect({ records, locked }).to.deep.equal({ records: [], locked: false });
    expect(reason).to.match(/is in use by another daemon/);
    expect(await second.keep(group, 'of the second')).to.match(
      /^RECORD_NOT_LOCKED: .*The next change tries again/,
    );
    await first.kill();
    expect((await second.recall()).records).to.deep.equal([{ group, text: 'of the first' }]);
    expect(await second.keep(group, 'of the second')).to.equal('kept');
  });

  it('writes again when a full disk has space, and keeps the old record meanwhile', async function () {
    skipFor(this, sandboxRefusal());
    const sandbox = new Sandbox();
    const directory = join(sandbox.directory, 'supervisor');
    const recorder = await start(directory, sandbox.tmpfs('size=1m'));
    sandbox.enter(recorder.pid);
    expect(await recorder.keep(group, 'old')).to.equal('kept');
    sandbox.fill();
    expect(await recorder.keep(group, 'x'.repeat(100_000))).to.match(
      /^RECORD_DISK_FULL: .*supervisor cannot be written \(ENOSPC.*Free space on that file system/,
    );
    expect((await recorder.recall()).records).to.deep.equal([{ group, text: 'old' }]);
    sandbox.free();
    expect(await recorder.keep(group, 'new')).to.equal('kept');
    expect((await recorder.recall()).records).to.deep.equal([{ group, text: 'new' }]);
    sandbox.remove();
  });

  it('says that its disk fails, and writes again when it does not', async function () {
    skipFor(this, sandboxRefusal() ?? freezeRefusal());
    const sandbox = new Sandbox();
    const directory = join(sandbox.directory, 'supervisor');
    const recorder = await start(directory, sandbox.prefix(shrinkable(sandbox.directory)));
    sandbox.enter(recorder.pid);
    expect(await recorder.keep(group, 'old')).to.equal('kept');
    sandbox.resize('64K');
    expect(await recorder.keep(group, 'x'.repeat(100_000))).to.match(
      /^RECORD_IO_ERROR: .*cannot be written \(EIO.*Check the disk/,
    );
    expect((await recorder.recall()).records).to.deep.equal([{ group, text: 'old' }]);
    sandbox.resize('32M');
    expect(await recorder.keep(group, 'new')).to.equal('kept');
    expect((await recorder.recall()).records).to.deep.equal([{ group, text: 'new' }]);
    sandbox.remove();
  });

  it('reads a disk that is read-only, says so at a write, and writes again when it is not', async function () {
    skipFor(this, sandboxRefusal());
    const sandbox = new Sandbox();
    const directory = join(sandbox.directory, 'supervisor');
    const recorder = await start(directory, sandbox.tmpfs('size=1m'));
    sandbox.enter(recorder.pid);
    expect(await recorder.keep(group, 'old')).to.equal('kept');
    writeFileSync(sandbox.path('supervisor/damaged.json'), 'x');
    sandbox.run(`mount -o remount,ro ${sandbox.directory}`);
    expect(await recorder.keep(group, 'new')).to.match(/^RECORD_READ_ONLY: .*Make the file system writable/);
    const { records, setAside, locked } = await recorder.recall();
    expect({ records, locked }).to.deep.equal({ records: [{ group, text: 'old' }], locked: true });
    expect(setAside[0]?.reason).to.match(/it stays where it is, since it cannot be renamed \(EROFS/);
    sandbox.run(`mount -o remount,rw ${sandbox.directory}`);
    expect(await recorder.keep(group, 'new')).to.equal('kept');
    sandbox.remove();
  });

  it('that cannot create its directory on a read-only disk says so, and has no record', async function () {
    skipFor(this, sandboxRefusal());
    const sandbox = new Sandbox();
    const recorder = await start(join(sandbox.directory, 'supervisor'), sandbox.tmpfs('ro'));
    expect(await recorder.recall()).to.include({ locked: false });
    expect(await recorder.keep(group, 'new')).to.match(/^RECORD_READ_ONLY/);
    sandbox.remove();
  });

  it('that hangs on its disk goes on living, and has written everything when the disk answers', async function () {
    skipFor(this, sandboxRefusal() ?? freezeRefusal());
    const sandbox = new Sandbox();
    const directory = join(sandbox.directory, 'supervisor');
    const recorder = await start(directory, sandbox.prefix(freezable(sandbox.directory)));
    expect(await recorder.keep(group, 'old')).to.equal('kept');
    // Thaws by itself: a process that cannot be killed must not outlive a failed test.
    const script = `fsfreeze -f ${sandbox.directory}; echo frozen; timeout 30 cat; fsfreeze -u ${sandbox.directory}`;
    const inside = ['-t', String(recorder.pid), '-m', 'sh', '-c', script];
    const freezer = spawn('nsenter', inside, { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(freezer.stdout, 'data');
    const keeping = Array.from({ length: 20 }, (_, index) => recorder.keep(group, String(index)));
    let isAnswered = false;
    void Promise.race(keeping).then(() => (isAnswered = true));
    const before = recorder.heartbeats;
    await until(() => recorder.heartbeats - before, isAtLeast(3));
    expect(isAnswered).to.equal(false);
    freezer.stdin.end();
    await once(freezer, 'exit');
    expect(new Set(await Promise.all(keeping))).to.deep.equal(new Set(['kept']));
    expect((await recorder.recall()).records).to.deep.equal([{ group, text: '19' }]);
    sandbox.remove();
  });

  it('where nobody can know whether another daemon has the directory, uses it neither', async function () {
    skipFor(this, sandboxRefusal());
    const sandbox = new Sandbox();
    const broken = join(temporaryFolder(), 'flock');
    writeFileSync(broken, '#!/bin/sh\necho "flock: 3: No locks available" >&2\nexit 71\n', { mode: 0o755 });
    const recorder = await start(
      join(sandbox.directory, 'supervisor'),
      sandbox.prefix(`mount -t tmpfs tmpfs ${sandbox.directory} && mount --bind ${broken} /usr/bin/flock`),
    );
    const { locked, reason } = await recorder.recall();
    expect(locked).to.equal(false);
    expect(reason).to.match(/cannot be locked \(flock: 3: No locks available\).*install flock/);
    expect(await recorder.keep(group, 'text')).to.match(/^RECORD_NOT_LOCKED/);
    sandbox.enter(recorder.pid);
    expect(readdirSync(sandbox.path('supervisor'))).to.deep.equal([]);
    sandbox.remove();
  });

  it('of root works in a directory of the storage worker, which nobody else may enter, and says when it has a network', async function () {
    skipFor(this, process.getuid?.() !== 0 && 'only root can be kept from its network');
    const line = workerCommandLine({
      entry: '',
      heapLimitMb: 1,
      account: null,
      nodePath: 'node',
      writesAsRoot: true,
    });
    const own = temporaryFolder();
    chownSync(own, 65_534, 65_534);
    chmodSync(own, 0o700);
    const directory = join(own, 'supervisor');
    const recorder = await start(directory, line.slice(0, line.indexOf('node')));
    expect(await recorder.keep(group, 'text')).to.equal('kept');
    expect((await recorder.recall()).records).to.deep.equal([{ group, text: 'text' }]);
    const { uid, mode } = statSync(directory);
    expect([uid, mode & 0o7777]).to.deep.equal([0, 0o700]);
    expect(recorder.events).to.deep.equal([]);
    await recorder.kill();
    expect((await start(directory)).events).to.deep.equal(['network.kept']);
  });

  it('of a user who is not root works in a directory of that user, and says what it may not use', async function () {
    skipFor(this, process.getuid?.() !== 0 && 'only root can start it as another user');
    const own = temporaryFolder();
    chmodSync(own, 0o777);
    const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    const recorder = await start(join(own, 'supervisor'), asNobody);
    expect(await recorder.keep(group, 'text')).to.equal('kept');
    expect((await recorder.recall()).records).to.deep.equal([{ group, text: 'text' }]);
    const closed = join(own, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const other = await start(join(closed, 'supervisor'), asNobody);
    expect((await other.recall()).reason).to.match(/cannot be used \(EACCES/);
    expect(await other.keep(group, 'text')).to.match(/^RECORD_CANNOT_WRITE: .*EACCES/);
  });
});
