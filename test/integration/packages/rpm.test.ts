// The rpm in a Debian root, by rpm with its dependencies: what is rpm's own. What after-install and before-removal do besides is
// in debian.test.ts.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { skipFor } from '../../fixtures/skip.js';
import { DebianRoot, debianRootProblem } from '../../fixtures/debian-root.js';
import { RealUpsd, onBattery, onLine } from '../../fixtures/real-upsd.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { until } from '../../fixtures/until.js';

const scripts = fileURLToPath(new URL('../../../../scripts', import.meta.url));

/** The one file that a command makes in `folder`. */
function made(folder: string, program: string, ...args: readonly string[]): string {
  const { status, stderr } = spawnSync(join(scripts, program), args, { encoding: 'utf8', timeout: 280_000 });
  expect(status, stderr).to.equal(0);
  return join(folder, readdirSync(folder)[0] ?? '');
}

function built(revision: string): string {
  const output = temporaryFolder();
  const options = ['--no-build', '--quick', '--revision', revision, '--output', output];
  return made(output, 'package.sh', 'rpm', ...options);
}

describe('the rpm', function () {
  // Each test goes on from the one before.
  this.bail(true);
  let root: DebianRoot;
  let upsd: RealUpsd;
  let pristine: readonly string[];

  before(async function () {
    skipFor(this, debianRootProblem('bookworm'));
    root = new DebianRoot('bookworm');
    upsd = await RealUpsd.start({ ups: { office: onLine } });
    const folder = temporaryFolder();
    const libraries = made(folder, 'packaging/rpm/libraries.sh', root.folder, folder);
    expect(root.rpm('--install', libraries)).to.include({ status: 0 });
    pristine = root.files();
  });

  after(async () => {
    if (root !== undefined && root.daemonPid > 0) process.kill(root.daemonPid, 'SIGKILL');
    await upsd?.stop();
  });

  const settled = (out: string) =>
    until(
      () => root.run('ridethrough', 'restart-check'),
      (answer) => answer.out === out,
      120_000,
      500,
    );
  const copies = () =>
    readdirSync(root.at('usr/lib/ridethrough/started')).filter((name) => name !== 'current');
  const restarts = () => root.calls.filter((call) => /\brestart\b/.test(call)).length;

  it('installs with its dependencies, and starts and enables nothing', () => {
    const { status, out } = root.rpm('--install', built('1'));
    expect(status, out).to.equal(0);
    expect(root.calls.filter((call) => /start|enable/.test(call))).to.deep.equal([]);
    expect(out).to.contain('nothing was started or enabled');
    expect(root.run('ridethrough', '--version')).to.include({ status: 0 });
    expect(root.run('ridethrough', 'validate')).to.include({ status: 0 });
    expect(root.run('stat', '-c', '%a %U %G', '/etc/ridethrough/config.toml').out).to.equal(
      '640 root root\n',
    );
    expect(root.rpm('--verify', 'ridethrough')).to.deep.equal({ status: 0, out: '' });
  });

  it('leaves a running daemon alone in an upgrade on battery, with its own files', async () => {
    root.write(
      'etc/ridethrough/config.toml',
      `[[ups]]\nname = "office@127.0.0.1:${String(upsd.port)}"\nis_local = false\n`,
    );
    expect(root.run('systemctl', 'start', 'ridethrough.service')).to.include({ status: 0 });
    await settled('');
    await upsd.rewrite('office', onBattery);
    await settled(`office@127.0.0.1:${String(upsd.port)} is on battery\n`);
    const old = root.daemonPid;
    const { status, out } = root.rpm('--upgrade', built('2'));
    expect(status, out).to.equal(0);
    expect(out).to.contain('is on battery').and.to.contain('stays as it is');
    expect(root.rpm('--query', 'ridethrough').out).to.match(/-2\.\w+\n$/);
    expect([root.daemonPid, restarts(), copies().length]).to.deep.equal([old, 0, 2]);
    expect(root.read('etc/ridethrough/config.toml')).to.contain('office@127.0.0.1');
  });

  it('is not removed from under a daemon that cannot be stopped', () => {
    root.write('fake/stop-fails', '');
    const { status, out } = root.rpm('--erase', 'ridethrough');
    expect(status, out).not.to.equal(0);
    expect(out).to.contain('could not be stopped');
    expect(root.daemonPid).to.be.above(0);
    expect(root.run('ridethrough', 'version').status).to.equal(0);
    rmSync(root.at('fake/stop-fails'));
  });

  it('leaves nothing but configuration, data and accounts when it is removed', () => {
    const { status, out } = root.rpm('--erase', 'ridethrough');
    expect(status, out).to.equal(0);
    expect(out).to.contain('kept: /etc/ridethrough');
    expect(root.daemonPid).to.equal(0);
    const left = root.files().filter((path) => !pristine.includes(path));
    expect(
      left.filter(
        (path) =>
          !/^\/(etc|var\/lib)\/ridethrough\/|^\/etc\/(\.pwd\.lock|group-|gshadow|passwd-|shadow)$/.test(path),
      ),
    ).to.deep.equal([]);
    expect(left).to.include.members([
      '/etc/ridethrough/config.toml.rpmsave',
      '/var/lib/ridethrough/ridethrough.db',
    ]);
    for (const folder of ['usr/lib/ridethrough', 'run/ridethrough'])
      expect(root.run('test', '-e', `/${folder}`).status, folder).to.equal(1);
  });
});
