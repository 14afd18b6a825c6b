import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { privateAccounts, privateAccountsProblem } from '../../fixtures/private-accounts.js';
import { descendants } from '../../fixtures/processes.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { program, ran, ridethrough } from '../../fixtures/ridethrough.js';
import type { Ran } from '../../fixtures/ridethrough.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { inTimeZone } from '../../fixtures/time-zone.js';
import { matches, until } from '../../fixtures/until.js';
import { Sandbox, sandboxRefusal } from '../storage/sandbox.js';
import { contentOf, day, endsOfTiers, lineOf, logOf } from './history-files.js';

describe('an import into the running daemon', () => {
  let upsd: SimulatedUpsd;
  let daemon: RunningDaemon | undefined;
  let log: string;
  // A few lines of an hour that summer time doubles do not tell which of the two it is.
  inTimeZone('UTC');
  const now = Math.floor(Date.now() / 300_000) * 300;
  before(() => {
    log = join(temporaryFolder(), 'ups.log');
    writeFileSync(log, logOf(now - 100 * day, now - 300, 300, endsOfTiers(now)));
  });
  beforeEach(async () => {
    upsd = await startSimulatedUpsd({ ups: [{ name: 'office', noise: 0 as const }] });
  });
  afterEach(async () => {
    await daemon?.stop();
    daemon = undefined;
    await upsd.stop();
  });
  const start = async (directory?: string, more: Partial<Parameters<typeof startDaemon>[0]> = {}) => {
    const toml = configurationFor({ port: upsd.port, apiPort: 0 });
    daemon = await startDaemon({ toml, ...(directory === undefined ? {} : { directory }), ...more });
    await daemon.seesAll();
    return daemon;
  };
  const add = (file = log, directory = daemon?.directory ?? ''): Promise<Ran> =>
    ridethrough(['import', 'upslog', file, '--config', join(directory, 'config.toml')]);
  /** Sees it at once: an import of this log takes a second. */
  const begun = (running: RunningDaemon): Promise<unknown> =>
    until(() => running.log(), matches(/import from upslog: begun/), undefined, 1);
  /** Without what the daemon itself recorded meanwhile. */
  const imported = async (directory: string) => {
    const { samples = [], fine, coarse, events, outages } = await contentOf(join(directory, 'lib'));
    const old = samples.filter((row) => (row as { ts: number }).ts < now * 1000);
    return { samples: old, fine, coarse, events, outages };
  };
  const processOf = (running: RunningDaemon, name: string): number => {
    const found = descendants(running.pid).find(({ command }) => command.includes(name));
    if (found === undefined) throw new Error(`no process ${name}`);
    return found.pid;
  };

  it('adds everything while the daemon records, once, and leaves audit rows', async () => {
    const { directory } = await start();
    const first = await add();
    expect(first, first.err).to.include({ code: 0 });
    expect(first.out).to.match(
      /by the running daemon\n {2}added: .* readings, .* 5-minute means, .* hourly means/,
    );
    const before = await imported(directory);
    const again = await add();
    expect(again.out).to.match(/added: nothing/);
    expect(await imported(directory)).to.deep.equal(before);
    await daemon?.logged(/HISTORY_IMPORTED: local: import from upslog: begun/);
    await daemon?.logged(/HISTORY_IMPORTED: local: import from upslog: 0 rows/);
    const listed = await ridethrough(['outages', '--limit', '3', '--config', join(directory, 'config.toml')]);
    expect(listed.out).to.match(/ 55 % /);
  });

  it('leaves the daemon’s own time alone', async () => {
    const { directory } = await start();
    const live = join(directory, 'live.log');
    const own = () => contentOf(join(directory, 'lib'));
    const { samples: recorded = [] } = await until(own, ({ samples = [] }) => samples.length > 0);
    const at = Math.floor((recorded[0] as { ts: number }).ts / 1000);
    writeFileSync(live, `${lineOf(at - 1000, 7)}\n${lineOf(at, 7)}\n`);
    expect((await add(live)).out).to.match(/added: 1 readings/);
    const { samples = [] } = await own();
    expect(samples.filter((row) => (row as { charge: number }).charge === 700)).to.have.lengthOf(1);
  });

  it('is whole although the storage worker is killed in it, and two at once add everything once', async () => {
    const first = await start();
    const killed = add();
    let hasEnded = false;
    void killed.then(() => (hasEnded = true));
    await begun(first);
    process.kill(processOf(first, 'workers/storage/worker'), 'SIGKILL');
    expect(hasEnded).to.equal(false);
    const done = await killed;
    expect(done, done.err).to.include({ code: 0 });
    const withKill = await imported(first.directory);
    await first.stop();
    const second = await start();
    const both = await Promise.all([add(), add()]);
    expect(both.map(({ code }) => code)).to.deep.equal([0, 0]);
    expect(await imported(second.directory)).to.deep.equal(withKill);
  });

  it('stops when the daemon is killed, and the repeated one adds the rest', async () => {
    const first = await start();
    const { directory } = first;
    const cut = add();
    await begun(first);
    process.kill(first.pid, 'SIGKILL');
    const stopped = await cut;
    expect(stopped.code).to.equal(1);
    expect(stopped.err).to.match(/The import has stopped. Repeat it/);
    await first.exited;
    // No daemon runs now: the rest is written directly.
    const rest = await add(log, directory);
    expect(rest.out).to.match(/by the database, as no daemon runs/);
    const { audit, ...whole } = await contentOf(join(directory, 'lib'));
    expect(audit?.length).to.be.above(1);
    const reference = temporaryFolder();
    mkdirSync(join(reference, 'lib'));
    execFileSync('sh', [
      '-c',
      `sed 's#${directory}#${reference}#g' ${directory}/config.toml > ${reference}/config.toml`,
    ]);
    await add(log, reference);
    const { coarse, outages, events } = await contentOf(join(reference, 'lib'));
    expect({ coarse: whole['coarse'], outages: whole['outages'], events: whole['events'] }).to.deep.equal({
      ...{ coarse, outages, events },
    });
  });

  it('is refused over TCP and for a body that is none', async () => {
    const running = await start();
    const socket = running.controlSocket;
    const post = (path: string, body: string, target: object): Promise<number> =>
      new Promise((resolve, reject) => {
        const sent = request({ ...target, path, method: 'POST' }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        });
        sent.once('error', reject);
        sent.end(body);
      });
    const onSocket = (body: string) => post('/control/v1/import', body, { socketPath: socket });
    const empty = {
      groupId: 'nobody',
      source: 'upslog',
      isDryRun: false,
      buckets: [],
      events: [],
      outages: [],
    };
    expect(await onSocket('no json')).to.equal(400);
    expect(await onSocket('{}')).to.equal(400);
    expect(await onSocket(JSON.stringify({ id: 'x', isLast: true, batch: empty }))).to.equal(404);
    expect(await onSocket('x'.repeat(300_000))).to.equal(413);
    const tcp = { host: '127.0.0.1', port: running.apiPort };
    for (const path of ['/control/v1/import', '/api/v1/import'])
      expect(await post(path, '{}', tcp)).to.equal(404);
  });
});

describe('an import without a daemon', () => {
  inTimeZone('UTC');
  const now = Math.floor(Date.now() / 1000);

  it('leaves a database that the daemon’s storage user can open', async function () {
    skipFor(this, privateAccountsProblem());
    const upsd = await startSimulatedUpsd({ ups: [{ name: 'office', noise: 0 as const }] });
    const own = privateAccounts();
    const { directory } = own;
    const toml = configurationFor({ port: upsd.port });
    // A first start writes the configuration and makes the database.
    const daemon = await startDaemon({ toml, directory, prefix: own.launcher() });
    try {
      await daemon.seesAll();
    } finally {
      daemon.signal('SIGTERM');
      await daemon.exited;
    }
    const path = join(directory, 'lib/ridethrough.db');
    execFileSync('sh', ['-c', `rm -f ${path}*`]);
    const log = join(directory, 'ups.log');
    writeFileSync(log, `${lineOf(now - 600)}\n`);
    const args = [program, 'import', 'upslog', log, '--config', join(directory, 'config.toml')];
    const [file = '', ...rest] = [...own.launcher(), process.execPath, ...args];
    const done = await ran(file, rest);
    expect(done, done.err).to.include({ code: 0 });
    const { uid, mode } = statSync(path);
    expect([uid, mode & 0o777]).to.deep.equal([own.accounts.get('ridethrough-db')?.uid, 0o640]);
    const again = await startDaemon({ toml, directory, prefix: own.launcher() });
    try {
      await again.seesAll();
      const events = await until(
        () => again.control('events'),
        (body) => JSON.stringify(body).includes('HISTORY_IMPORTED'),
      );
      expect(JSON.stringify(events)).to.contain('local: import from upslog: 1 rows');
      expect(again.log()).not.to.match(/CANNOT_OPEN|belongs to user/);
    } finally {
      await again.stop();
      await upsd.stop();
    }
  });

  it('on a full disk stops, and the repeated one adds the rest', async function () {
    skipFor(this, sandboxRefusal());
    const sandbox = new Sandbox();
    const files = temporaryFolder();
    const log = join(files, 'ups.log');
    writeFileSync(log, logOf(now - 100 * day, now - 60, 300));
    const toml = configurationFor({ port: 1 }).replaceAll('{shutdown}', '/bin/false');
    writeFileSync(
      join(files, 'config.toml'),
      toml.replaceAll('{directory}/lib', sandbox.directory).replaceAll('{directory}', files),
    );
    const command = `${process.execPath} ${program} import upslog ${log} --config ${join(files, 'config.toml')}`;
    const script = `${command}; echo "CODE $?"; mount -o remount,size=64m ${sandbox.directory}; ${command}; echo "CODE $?"`;
    const [file = '', ...rest] = sandbox.tmpfs('size=1000k');
    const { out, err } = await ran(file, [...rest, 'sh', '-c', script]);
    sandbox.remove();
    expect(err).to.match(/The import has stopped. Repeat it/);
    expect(err).to.match(/full/i);
    expect([...out.matchAll(/CODE (\d)/g)].map(([, code]) => code)).to.deep.equal(['1', '0']);
    expect(out).to.match(/added: .*\n.*in the history already/);
  });
});
