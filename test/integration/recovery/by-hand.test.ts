// A server that a person shuts down with the command line, in the record of the running daemon: a real sshd, on a network of
// namespaces where it really is silent.
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RecoveryTarget } from '../../../shared/domain/recovery/recovery-status.js';
import type { RecoveryBody, RemoteHealthBody } from '../../../shared/http/device-bodies.js';
import type { ReadyModel } from '../../../shared/protocol/api.js';
import type { Machine, Relay } from '../../fixtures/namespaces.js';
import { Network, networkProblem, relayTo } from '../../fixtures/namespaces.js';
import { Office } from '../../fixtures/office.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import type { Ran } from '../../fixtures/ridethrough.js';
import { program, ran, ridethrough } from '../../fixtures/ridethrough.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { until } from '../../fixtures/until.js';

const really = ['shutdown', 'remote', '--server', 'nas', '--i-really-want-to-shut-down'];
const leaping = `--import ${new URL('../../fixtures/jumping-clock.js', import.meta.url).href}`;
const requestsOf = (directory: string): string => join(directory, 'run', 'supervisor', 'requests');
const byHand = /^it was shut down by hand on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d; start it by hand$/;

function nasOf(daemon: RunningDaemon, isSo: (nas: RecoveryTarget) => boolean): Promise<RecoveryTarget> {
  const target = async (): Promise<RecoveryTarget | undefined> =>
    ((await daemon.control('recovery')) as RecoveryBody).targets.find(({ name }) => name === 'nas');
  return until(target, (nas) => nas !== undefined && isSo(nas)) as Promise<RecoveryTarget>;
}

describe('a server that is shut down by hand while the daemon runs', () => {
  const office = new Office();
  let network: Network;
  let own: Machine;
  let machine: Machine;
  let relay: Relay;
  let sshd: PrivateSshd;

  beforeEach(async function () {
    skipFor(this, networkProblem());
    network = new Network();
    own = network.machine('daemon');
    machine = network.machine('nas');
    // The witness of a silence.
    own.ip('route', 'add', 'default', 'via', network.machine('gateway').address);
    relay = await relayTo(own, office.upsd.port);
    sshd = await PrivateSshd.start({ machine });
    sshd.tool(
      'shutdown',
      `(sleep 1; /sbin/ip link set eth0 down; echo off >>${sshd.notes}) >/dev/null 2>&1 &`,
    );
  });

  afterEach(async () => {
    await office.daemon?.stop();
    office.daemon = undefined;
    await sshd.stop();
    relay.stop();
    network.stop();
  });

  it('is shown so, not probed and no failure, over a restart, until a look finds it up again', async () => {
    const { login } = sshd;
    const server = remoteServerToml({ ...login, name: 'nas', host: machine.address });
    const more = `${server}[recovery]\nenabled = true\n[remote_health]\ninterval = 60\n`;
    const toml = configurationFor({ port: office.upsd.port, more });
    const env = { NODE_OPTIONS: leaping };
    const { prefix } = own;
    const first = (office.daemon = await startDaemon({ toml, env, prefix }));
    const { directory } = first;
    const health = async (daemon: RunningDaemon) =>
      ((await daemon.control('remote-health')) as RemoteHealthBody).servers[0];
    await nasOf(first, ({ state }) => state === 'up');
    await until(
      () => health(first),
      (row) => row?.status === 'HEALTHY',
    );
    const [node = '', ...args] = [...prefix, process.execPath, program, ...really];
    const done = await ran(node, [...args, '--config', join(directory, 'config.toml')]);
    expect([done.code, done.err]).to.deep.equal([0, '']);
    expect(done.out).to.match(/^Recorded as shut down by hand: nas\.$/m);
    expect(readdirSync(requestsOf(directory))).to.deep.equal([]);
    const told = await nasOf(first, ({ reason }) => byHand.test(reason));
    expect(told.state).to.equal('skipped');

    await until(() => sshd.noted().includes('off'));
    const probed = (await health(first))?.lastCheckedAt;
    first.signal('SIGUSR1');
    expect(await nasOf(first, ({ level }) => level === 'off')).to.include({ reason: told.reason });
    first.signal('SIGUSR1');
    const ready = await until(
      async () => (await first.control('ready')) as ReadyModel,
      ({ capabilities }) => capabilities.some(({ reason }) => reason.includes('nas was shut down')),
    );
    expect(ready.ready, JSON.stringify(ready.reasons)).to.equal(true);
    expect(await health(first)).to.include({ status: 'HEALTHY', lastCheckedAt: probed });
    await first.logged('nas was shut down by hand');

    await first.kill();
    const second = (office.daemon = await startDaemon({ toml, directory, env, prefix }));
    expect(await nasOf(second, ({ level }) => level === 'off')).to.include({ reason: told.reason });
    machine.ip('link', 'set', 'eth0', 'up');
    second.signal('SIGUSR1');
    const up = await nasOf(second, ({ state }) => state === 'up');
    expect(up).to.include({ before: 'up', level: 'reachable', reason: '' });
  });
});

describe('a manual shutdown', () => {
  const office = new Office();
  let sshd: PrivateSshd;
  beforeEach(async () => {
    sshd = await PrivateSshd.start();
  });
  afterEach(() => sshd.stop());

  const tomlWith = (more: string): string =>
    configurationFor({
      port: office.upsd.port,
      more: `${remoteServerToml({ ...sshd.login, name: 'nas' })}[remote_health]\nenabled = false\n${more}`,
    });
  const enabled = '[recovery]\nenabled = true\n';

  /** Without a daemon. */
  function folderWith(more: string): string {
    const directory = temporaryFolder();
    const toml = tomlWith(more).replaceAll('{directory}', directory).replaceAll('{shutdown}', '/bin/false');
    writeFileSync(join(directory, 'config.toml'), toml, { mode: 0o600 });
    return directory;
  }
  const shutDown = (directory: string): Promise<Ran> =>
    ridethrough([...really, '--config', join(directory, 'config.toml')]);

  it('leaves what it has shut down for the next start of the daemon, where none runs', async () => {
    const directory = folderWith(enabled);
    const { code, out, err } = await shutDown(directory);
    expect(code).to.equal(0);
    expect(out).to.not.contain('Recorded');
    expect(err).to.match(
      /^ridethrough shutdown: nas: not recorded as shut down by hand, since no daemon runs; /,
    );
    const requests = requestsOf(directory);
    const [name = ''] = readdirSync(requests);
    expect([statSync(requests).mode & 0o777, statSync(join(requests, name)).mode & 0o777]).to.deep.equal([
      0o700, 0o600,
    ]);
    office.daemon = await startDaemon({ toml: tomlWith(enabled), directory });
    expect((await nasOf(office.daemon, ({ reason }) => byHand.test(reason))).state).to.equal('skipped');
    await until(() => readdirSync(requests).every((file) => file.endsWith('.answer')));
  });

  it('says and leaves nothing where recovery is off, in a drill, and in a dry run', async () => {
    for (const more of ['', `${enabled}[behavior]\ndry_run = true\n`]) {
      const directory = folderWith(more);
      const { code, out, err } = await shutDown(directory);
      expect([code, err]).to.deep.equal([0, '']);
      expect(out).to.not.contain('by hand');
      expect(existsSync(requestsOf(directory))).to.equal(false);
    }
  });

  it('leaves nothing of a server that never got its command', async () => {
    const directory = folderWith(enabled);
    await sshd.down();
    const { code, err } = await shutDown(directory);
    expect([code, err]).to.deep.equal([1, '']);
    expect(existsSync(requestsOf(directory))).to.equal(false);
  });

  it('says that the daemon does not know the server, and that nothing can be left for it', async () => {
    const daemon = (office.daemon = await startDaemon({
      toml: tomlWith(enabled).replaceAll('"nas"', '"store"'),
    }));
    const { directory } = daemon;
    daemon.configure(tomlWith(enabled));
    const unknown = await shutDown(directory);
    expect([unknown.code, unknown.err]).to.deep.equal([
      0,
      'ridethrough shutdown: nas: not recorded as shut down by hand: the daemon has no server "nas"; reload it\n',
    ]);
    const other = folderWith(enabled);
    mkdirSync(join(other, 'run'));
    writeFileSync(join(other, 'run', 'supervisor'), 'a file');
    const failed = await shutDown(other);
    expect([failed.code, failed.err.replace(/\((E\w+): .*\)/, '($1)')]).to.deep.equal([
      0,
      'ridethrough shutdown: nas: not recorded as shut down by hand (ENOTDIR): the daemon takes it for a server that has failed\n',
    ]);
  });
});
