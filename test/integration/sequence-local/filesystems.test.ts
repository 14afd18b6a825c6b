// Real mounts, unmounted by the real umount, in a sandbox.
import { expect } from 'chai';
import { unitCapabilities } from '../../fixtures/unit-privileges.js';
import { needs, Sandbox } from './sandbox.js';

const tmpfs = 'mkdir -p $D/data && mount -t tmpfs tmpfs $D/data';
const count = 'grep -c "$D/data " /proc/self/mountinfo';

describe('the unmounting on this host', () => {
  let sandbox: Sandbox;
  before(function () {
    needs(this, 'no mounts in a namespace of its own', tmpfs);
  });
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.remove());

  const unmount = (before: string, options = '', name = 'data') =>
    sandbox.perform(
      before,
      {
        action: { kind: 'unmount', path: `${sandbox.directory}/${name}`, options },
        budgetSeconds: 30,
      },
      count,
    );

  it('unmounts a mount point', async () => {
    expect(await unmount(tmpfs)).to.deep.include({ outcome: { kind: 'done' }, after: '0' });
  });

  it('skips a mount point where nothing is mounted', async () => {
    const path = `${sandbox.directory}/data`;
    for (const before of ['mkdir -p $D/data', 'rmdir $D/data'])
      expect(await unmount(before)).to.deep.include({
        outcome: { kind: 'skipped', reason: `${path} is not mounted` },
      });
  });

  it('follows a symbolic link', async () => {
    expect(await unmount(`${tmpfs} && ln -s data $D/link`, '', 'link')).to.deep.include({
      outcome: { kind: 'done' },
      after: '0',
    });
  });

  const busy = `${tmpfs}\n(cd $D/data && exec sleep 60) & echo $! >$D/holder\nuntil [ "$(readlink /proc/$!/cwd)" = $D/data ]; do sleep 0.05; done`;

  it('leaves a busy mount, and names the process that uses it', async () => {
    const { outcome, after } = await unmount(busy);
    expect(outcome)
      .to.have.property('reason')
      .that.matches(/^exit status 32: umount: .*\/data: target is busy\.; in use by sleep \(pid \d+\)$/);
    expect(after).to.equal('1');
  });

  it('unmounts a busy mount lazily when that is configured', async () => {
    expect(await unmount(busy, '-l')).to.deep.include({ outcome: { kind: 'done' }, after: '0' });
  });

  it('works in the mount namespace of the host when the unit has its own, without gaining capabilities', async () => {
    // Inside the sandbox its first process is the host, with the mount; the "unit" sees a copy of it.
    const order = {
      action: { kind: 'unmount', path: `${sandbox.directory}/data`, options: '' },
      budgetSeconds: 30,
    } as const;
    const unit = `set -- unshare -m --propagation private setpriv --no-new-privs --bounding-set=-all,${unitCapabilities} \\
      sh -c 'SYSTEMD_EXEC_PID=$$ exec "$@"' sh "$@"`;
    const report = await sandbox.perform(`${tmpfs}\n${unit}`, order, count);
    expect(report.mountsPrefix).to.deep.equal(['nsenter', '--target', '1', '--mount', '--']);
    expect(report).to.deep.include({ outcome: { kind: 'done' }, after: '0' });
  });
});
