import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../../workers/storage/database.js';
import { skipFor } from '../../fixtures/skip.js';
import { is, isAtLeast, until } from '../../fixtures/until.js';
import { DaemonSide } from './daemon-side.js';
import { freezable, freezeRefusal, Sandbox, sandboxRefusal } from './sandbox.js';
import { StorageProcess } from './storage-process.js';

const mebibyte = 1024 * 1024;

describe('a disk that fails storage', () => {
  let sandbox: Sandbox;
  let storage: StorageProcess | undefined;
  let side: DaemonSide;

  before(function () {
    skipFor(this, sandboxRefusal());
  });
  beforeEach(() => {
    sandbox = new Sandbox();
    side = new DaemonSide('run-1', 200);
  });
  afterEach(async () => {
    side.end();
    await storage?.kill();
    storage = undefined;
    sandbox.remove();
  });

  const start = async (prefix: readonly string[], longestDeadlineMs = 10_000): Promise<StorageProcess> => {
    const started = await StorageProcess.start({ directory: sandbox.directory, prefix, longestDeadlineMs });
    storage = started;
    sandbox.enter(started.pid);
    side.attach(started);
    return started;
  };
  const changed = (process: StorageProcess, code: string): Promise<unknown> =>
    until(() => process.changes.at(-1), is(code));
  const details = (): readonly string[] =>
    sandbox.rows<{ detail: string }>('SELECT detail FROM events ORDER BY id').map(({ detail }) => detail);

  it('by being full delays events and samples, loses none, and recovers without help', async () => {
    const process = await start(sandbox.tmpfs(`size=${String(16 * mebibyte)}`));
    side.event('before');
    await side.settle();
    sandbox.fill();
    const said = Array.from({ length: 300 }, (_, index) => `while full ${String(index)} ${'x'.repeat(3000)}`);
    for (const detail of said) side.event(detail);
    for (let count = 0; count < 100; count += 1) side.sample();
    await changed(process, 'DISK_FULL');
    expect(process.log.at(-1)?.message).to.match(/Free space on that file system/);
    expect(side.queue.figures.eventsWaiting).to.be.above(0);
    sandbox.free();
    await side.settle();
    await changed(process, 'OK');
    expect(details()).to.deep.equal(['before', ...said]);
    expect(side.queue.figures).to.include({ eventsDropped: 0, samplesDropped: 0 });
  });

  it('by being full at the start delays the first event', async () => {
    const prefix = sandbox.prefix(
      `mount -t tmpfs -o size=1m tmpfs ${sandbox.directory} && { head -c 2M /dev/zero >${sandbox.directory}/filler 2>/dev/null || true; }`,
    );
    const process = await start(prefix);
    side.event('first');
    await changed(process, 'DISK_FULL');
    sandbox.free();
    await side.settle();
    expect(details()).to.deep.equal(['first']);
  });

  it('by being read-only delays events until it is writable again', async () => {
    const process = await start(sandbox.tmpfs('ro'));
    side.event('first');
    await changed(process, 'READ_ONLY');
    expect(process.log.at(-1)?.message).to.match(/Make the file system or the file writable/);
    sandbox.run(`mount -o remount,rw ${sandbox.directory}`);
    await side.settle();
    expect(details()).to.deep.equal(['first']);
  });

  it('by a lock of another process delays events until its release', async () => {
    const process = await start([]);
    side.event('before');
    await side.settle();
    const other = await Database.open(join(sandbox.directory, 'ridethrough.db'));
    await other.exec('BEGIN IMMEDIATE');
    side.event('while locked');
    await changed(process, 'LOCKED');
    await other.exec('ROLLBACK');
    await other.close();
    await side.settle();
    expect(details()).to.deep.equal(['before', 'while locked']);
  });

  it('by damaging the database loses nothing acknowledged but that file, which is kept', async () => {
    const first = await start([]);
    side.event('old');
    await side.settle();
    await first.drain();
    const path = join(sandbox.directory, 'ridethrough.db');
    writeFileSync(path, Buffer.concat([randomBytes(4096), readFileSync(path).subarray(4096)]));
    const second = await start([]);
    side.event('new');
    await side.settle();
    expect(second.changes).to.deep.equal(['CORRUPT', 'OK']);
    expect(details()).to.deep.equal(['new']);
    expect(readdirSync(sandbox.directory).filter((name) => /corrupt-\d+$/.test(name))).to.have.lengthOf(1);
  });

  it('by stalling blocks nobody, and a repeated request is stored once', async function () {
    skipFor(this, freezeRefusal());
    const process = await start(sandbox.prefix(freezable(sandbox.directory)), 300);
    side.event('before');
    await side.settle();
    // Thaws by itself: a process that cannot be killed must not outlive a failed test.
    const freezer = spawn(
      'nsenter',
      [
        '-t',
        String(process.pid),
        '-m',
        'sh',
        '-c',
        `fsfreeze -f ${sandbox.directory}; echo frozen; timeout 30 cat; fsfreeze -u ${sandbox.directory}`,
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    await new Promise((resolve) => freezer.stdout.once('data', resolve));
    side.event('while frozen');
    side.sample();
    const beats = process.heartbeats;
    await until(() => process.heartbeats - beats, isAtLeast(2));
    expect(side.queue.figures.eventsWaiting).to.equal(1);
    for (let count = 0; count < 20; count += 1) side.event(`more ${String(count)}`);
    freezer.stdin.end();
    await new Promise((resolve) => freezer.once('exit', resolve));
    await side.settle();
    const stored = details();
    expect(stored.slice(0, 2)).to.deep.equal(['before', 'while frozen']);
    expect(stored).to.have.lengthOf(22);
    expect(new Set(stored).size).to.equal(22);
  });
});
