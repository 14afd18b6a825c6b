// The Debian package in a Debian root, with the real daemon in dry run and real NUT: install, upgrade, remove, purge.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { skipFor } from '../../fixtures/skip.js';
import { DebianRoot, debianRootProblem } from '../../fixtures/debian-root.js';
import { descendants } from '../../fixtures/processes.js';
import { RealUpsd, onBattery, onLine } from '../../fixtures/real-upsd.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { until } from '../../fixtures/until.js';

const script = fileURLToPath(new URL('../../../../scripts/package.sh', import.meta.url));

function built(...revision: readonly string[]): string {
  const output = temporaryFolder();
  const { status, stderr } = spawnSync(
    script,
    ['deb', '--no-build', '--quick', '--output', output, ...revision],
    { encoding: 'utf8', timeout: 300_000 },
  );
  expect(status, stderr).to.equal(0);
  return join(output, readdirSync(output)[0] ?? '');
}

describe('the Debian package', function () {
  // Each test goes on from the one before.
  this.bail(true);
  const suite = process.env['DEBIAN_SUITE'] ?? 'bookworm';
  let root: DebianRoot;
  let upsd: RealUpsd;
  /** Accepts and never answers: a server that keeps a sequence busy until `release`. */
  let silent: Server;
  const release = (): void => {
    for (const socket of accepted) socket.destroy();
    silent.close();
  };
  const accepted: Socket[] = [];
  let pristine: readonly string[];
  let next: string;

  before(async function () {
    skipFor(this, debianRootProblem(suite));
    root = new DebianRoot(suite);
    upsd = await RealUpsd.start({ ups: { office: onLine } });
    silent = createServer((socket) => accepted.push(socket)).listen(0, '127.0.0.1');
    pristine = root.files();
    next = built('--revision', '2');
  });

  after(async () => {
    if (root !== undefined && root.daemonPid > 0) process.kill(root.daemonPid, 'SIGKILL');
    if (silent !== undefined) release();
    await upsd?.stop();
  });

  const configure = (more = ''): void => {
    root.write(
      'etc/ridethrough/config.toml',
      `[[ups]]
name = "office@127.0.0.1:${String(upsd.port)}"
is_local = false
[[ups.remote_servers]]
name = "silent"
host = "127.0.0.1"
port = ${String((silent.address() as AddressInfo).port)}
user = "nobody"
ssh_key_path = "/etc/ridethrough/key"
connect_timeout = 300
[local_shutdown]
command = ["true"]
${more}`,
    );
  };
  /** What the running daemon says; its exit code. */
  const judged = () => root.run('ridethrough', 'restart-check');
  const settled = (out: string) => until(judged, (answer) => answer.out === out, 120_000, 500);
  /** Upgrades, or installs the same version once more, and expects that this goes well for dpkg. */
  const upgraded = (): string => {
    const { status, out } = root.install(next);
    expect(status, out).to.equal(0);
    return out;
  };
  /** Empty when it has ended meanwhile. */
  const programOf = (pid: number): string => {
    try {
      return readlinkSync(`/proc/${String(pid)}/exe`);
    } catch {
      return '';
    }
  };
  const accounts = ['.pwd.lock', 'group-', 'gshadow', 'passwd-', 'shadow'].map((name) => `/etc/${name}`);
  /** Files that were not there before the package. */
  const left = (): readonly string[] =>
    root
      .files()
      .filter((path) => !pristine.includes(path))
      .toSorted();
  const copies = () =>
    readdirSync(root.at('usr/lib/ridethrough/started')).filter((name) => name !== 'current');
  const calls = (verb: RegExp) => root.calls.filter((call) => verb.test(call));
  const restarts = () => calls(/\brestart\b/).length;

  it('installs, starts and enables nothing, and says what comes next', () => {
    const { status, out } = root.install(built());
    expect(status, out).to.equal(0);
    expect(calls(/start|enable/)).to.deep.equal([]);
    expect(out).to.contain('ridethrough validate').and.to.contain('systemctl enable --now ridethrough');
    expect(root.run('ridethrough', 'validate')).to.include({ status: 0 });
    expect(root.run('stat', '-c', '%a %U %G', '/etc/ridethrough/config.toml').out).to.equal(
      '640 root root\n',
    );
  });

  it('runs with the Node.js that it carries, each worker as its user', async () => {
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', root.at('etc/ridethrough/key')]);
    configure();
    expect(root.run('systemctl', 'start', 'ridethrough.service')).to.include({ status: 0 });
    await settled('');
    const pids = [root.daemonPid, ...descendants(root.daemonPid).map(({ pid }) => pid)];
    const programs = pids.map(programOf).filter((name) => name !== '');
    expect(programs.filter((name) => name.includes('node'))).to.have.length.above(3);
    for (const program of programs) expect(program).to.match(/started\/\d[^/]*\/bin\/node$|\/usr\/bin\/\w+$/);
    expect(root.run('stat', '-c', '%U', '/var/lib/ridethrough/ridethrough.db').out).to.equal(
      'ridethrough-db\n',
    );
  });

  describe('an upgrade while the daemon runs', () => {
    let old: number;
    beforeEach(() => {
      old = root.daemonPid;
    });

    it('leaves it running where the new version does not accept the configuration', () => {
      configure('[behaviour]\n');
      const out = upgraded();
      expect(out)
        .to.contain('behaviour')
        .and.to.contain('stays as it is')
        .and.to.contain('ridethrough validate');
      expect([root.daemonPid, restarts()]).to.deep.equal([old, 0]);
      configure();
    });

    it('has left it workers of its own version', async () => {
      const storage = () =>
        descendants(old).find(({ command }) => /\/node .*\/workers\/storage\//.test(command))?.pid ?? 0;
      const killed = storage();
      process.kill(killed, 'SIGKILL');
      await until(storage, (pid) => pid > 0 && pid !== killed && programOf(pid) === programOf(old));
      await settled('');
    });

    it('leaves it running on battery', async () => {
      await upsd.rewrite('office', onBattery);
      await settled(
        'office@127.0.0.1 is on battery\n'.replace('127.0.0.1', `127.0.0.1:${String(upsd.port)}`),
      );
      expect(upgraded()).to.contain('is on battery').and.to.contain('systemctl restart ridethrough');
      expect([root.daemonPid, restarts()]).to.deep.equal([old, 0]);
    });

    it('leaves it running during a sequence', async () => {
      await upsd.rewrite('office', `${onBattery.replace('OB', 'OB LB FSD')}`);
      await until(judged, ({ out }) => out.includes('a shutdown sequence runs'), undefined, 100);
      expect(upgraded()).to.contain('a shutdown sequence runs').and.to.contain('stays as it is');
      expect([root.daemonPid, restarts()]).to.deep.equal([old, 0]);
      release();
    });

    it('leaves it running where policy-rc.d says so', async () => {
      await upsd.rewrite('office', onLine);
      await settled('');
      root.write('usr/sbin/policy-rc.d', '#!/bin/sh\nexit 101\n', 0o755);
      expect(upgraded()).to.contain('policy-rc.d').and.to.contain('systemctl restart ridethrough');
      expect([root.daemonPid, restarts()]).to.deep.equal([old, 0]);
      rmSync(root.at('usr/sbin/policy-rc.d'));
    });

    it('goes on where systemctl fails, and says so', () => {
      root.write('fake/restart-fails', '');
      expect(upgraded()).to.contain('COULD NOT BE RESTARTED');
      expect(root.daemonPid).to.equal(old);
      rmSync(root.at('fake/restart-fails'));
    });

    it('restarts it when nothing speaks against that, and keeps one copy', async () => {
      expect(upgraded()).to.contain('the daemon runs the new version');
      expect(root.daemonPid).not.to.equal(old);
      await settled('');
      expect(copies()).to.have.length(1);
      expect(programOf(root.daemonPid)).to.contain(`/started/${copies()[0] ?? ''}/`);
    });
  });

  describe('a removal', () => {
    it('is not removed from under a daemon that cannot be stopped', () => {
      root.write('fake/stop-fails', '');
      const { status, out } = root.run('dpkg', '--remove', 'ridethrough');
      expect(status).to.equal(1);
      expect(out).to.contain('could not be stopped');
      expect(root.daemonPid).to.be.above(0);
      expect(root.run('ridethrough', 'version').status).to.equal(0);
      rmSync(root.at('fake/stop-fails'));
    });

    it('is not removed from under a daemon that was started manually', () => {
      const sleeps = '/usr/lib/ridethrough/bin/node -e "setTimeout(() => {}, 60000)"';
      const pid = root.run('sh', '-c', `${sleeps} >/dev/null 2>&1 & echo $!`).out.trim();
      const { status, out } = root.run('dpkg', '--remove', 'ridethrough');
      expect(out).to.contain(`process ${pid} still runs from /usr/lib/ridethrough`);
      expect(status).to.equal(1);
      process.kill(Number(pid));
    });

    it('leaves nothing but configuration, data and accounts when it is removed', () => {
      const { status, out } = root.run('dpkg', '--remove', 'ridethrough');
      expect(status, out).to.equal(0);
      expect(root.daemonPid).to.equal(0);
      expect(out).to.contain('kept: /etc/ridethrough');
      const kept = left().filter((path) => !accounts.includes(path));
      expect(kept.filter((path) => !/^\/(etc|var\/lib)\/ridethrough\/|^\/var\/lib\/dpkg\/info\//.test(path)))
        .to.be.empty;
      expect(kept).to.include.members([
        '/etc/ridethrough/config.toml',
        '/var/lib/ridethrough/ridethrough.db',
      ]);
    });

    it('leaves the accounts alone when it is purged', () => {
      const { status, out } = root.run('dpkg', '--purge', 'ridethrough');
      expect(status, out).to.equal(0);
      expect(left()).to.deep.equal(accounts);
      for (const folder of [
        'etc/ridethrough',
        'var/lib/ridethrough',
        'var/log/ridethrough',
        'usr/lib/ridethrough',
      ])
        expect(root.run('test', '-e', `/${folder}`).status, folder).to.equal(1);
    });
  });
});
