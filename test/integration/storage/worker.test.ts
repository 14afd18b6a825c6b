import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EventType } from '../../../shared/domain/status/events.js';
import { metrics } from '../../../shared/domain/status/metrics.js';
import { Database } from '../../../workers/storage/database.js';
import { skipFor } from '../../fixtures/skip.js';
import { until } from '../../fixtures/until.js';
import { DaemonSide } from './daemon-side.js';
import { StorageProcess } from './storage-process.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const readerProgram = fileURLToPath(new URL('reader-program.js', import.meta.url));
/** Accounts that need not exist: one owns the database, the other is in its group. */
const [storageUid, readerUid, group] = [61_001, 61_002, 61_001];

describe('the storage worker', () => {
  let directory: string;
  let storage: StorageProcess;
  let side: DaemonSide;
  beforeEach(() => {
    directory = temporaryFolder();
    side = new DaemonSide('run-1', 50);
  });
  afterEach(async () => {
    side.end();
    await storage.kill();
  });

  const start = async (options: { enabled?: boolean; prefix?: readonly string[] } = {}): Promise<void> => {
    storage = await StorageProcess.start({ directory, ...options });
    side.attach(storage);
  };
  const types = async (): Promise<readonly string[]> => {
    const db = await Database.open(join(directory, 'ridethrough.db'));
    const rows = await db.all<{ type: string }>('SELECT type FROM events ORDER BY id');
    await db.close();
    return rows.map(({ type }) => type);
  };

  it('leaves one closed file when it is drained', async () => {
    await start();
    side.event('a');
    side.sample();
    await side.settle();
    await storage.drain();
    expect(readdirSync(directory)).to.deep.equal(['ridethrough.db']);
  });

  it('starts and ends a run in order', async () => {
    await start();
    const beginning = { bootId: 'boot-a', version: '1.0', recovered: null };
    side.queue.begin({ ...beginning, at: 100 });
    side.event('an outage');
    await side.queue.end(200, 'stopped');
    const next = await storage.request('run.begin', { run: 'run-2', ...beginning, at: 230 }, 60_000);
    expect(next).to.deep.include({ ok: true });
    expect(await types()).to.deep.equal(['DAEMON_START', 'ON_BATTERY', 'DAEMON_STOP', 'DAEMON_RESTARTED']);
  });

  it('keeps only audit, shutdown and remote health with statistics off', async () => {
    await start({ enabled: false });
    side.queue.begin({ bootId: 'boot-a', version: '1.0', at: 100, recovered: null });
    const all: readonly EventType[] = [
      'ON_BATTERY',
      'LOGIN_FAILURE',
      'SHUTDOWN_TRIGGERED',
      'BATTERY_ANOMALY',
      'REMOTE_HEALTH_FAILED',
    ];
    for (const type of all) side.event('', type);
    side.sample();
    await side.settle();
    expect(await types()).to.deep.equal(['LOGIN_FAILURE', 'SHUTDOWN_TRIGGERED', 'REMOTE_HEALTH_FAILED']);
    expect(side.acknowledged.map(({ type }) => type)).to.deep.equal(await types());
    const deletion = { source: 'office', items: [], principal: 'user:alice', at: 5 };
    const refused = await storage.request('events.delete', deletion, 60_000);
    expect(refused.ok ? 'OK' : refused.error.code).to.equal('DISABLED');
    const samples = await storage.request('samples.append', { samples: [] }, 60_000);
    expect(samples).to.deep.include({ ok: true });
  });

  it('applies changed settings and another directory without loss', async () => {
    await start();
    side.event('here');
    await side.settle();
    const other = temporaryFolder();
    storage.configure({ directory: other });
    side.event('there');
    await side.settle();
    await until(
      () => readdirSync(directory),
      (names) => names.join() === 'ridethrough.db',
    );
    expect(await types()).to.have.lengthOf(1);
    expect(readdirSync(other)).to.include('ridethrough.db');
  });

  it('rejects a request outside its contract and keeps running', async () => {
    await start();
    const sample = { groupId: 'office', at: 5, values: metrics.slice(1).map(() => null) };
    const outcome = await storage.request('samples.append', { samples: [sample] }, 60_000);
    expect(outcome.ok ? 'OK' : outcome.error.code).to.equal('INVALID_MESSAGE');
    side.event('a');
    await side.settle();
    expect(await types()).to.deep.equal(['ON_BATTERY']);
  });

  it('writes a file that users of its group can read but not write', async function () {
    skipFor(this, process.getuid?.() !== 0 && 'only root can be two other users');
    chownSync(directory, storageUid, group);
    chmodSync(directory, 0o750);
    const as = (uid: number): readonly string[] => [
      'setpriv',
      `--reuid=${String(uid)}`,
      `--regid=${String(group)}`,
      '--clear-groups',
    ];
    await start({ prefix: as(storageUid) });
    side.event('first');
    await side.settle();
    const [command = '', ...args] = [...as(readerUid), process.execPath, readerProgram];
    const read = (): unknown =>
      JSON.parse(execFileSync(command, [...args, join(directory, 'ridethrough.db')], { encoding: 'utf8' }));
    expect(read()).to.have.nested.property('value[0].detail', 'first');
    side.event('second');
    await side.settle();
    expect(read()).to.have.nested.property('value[1].detail', 'second');
  });
});
