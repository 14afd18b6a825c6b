import { expect } from 'chai';
import { syncPerformer } from '../../../../supervisor/sequence/phases/sync.js';
import { unmountPerformer } from '../../../../supervisor/sequence/phases/unmount.js';
import { fails, LocalRig, ok } from './local-rig.js';

const action = { kind: 'unmount', path: '/mnt/nas', options: '' } as const;

describe('a mount of this host', () => {
  it('is unmounted with its options, lazily only with that option', async () => {
    const rig = new LocalRig(() => ok());
    expect(await rig.perform(unmountPerformer, action, 15)).to.deep.equal({ kind: 'done' });
    await rig.perform(unmountPerformer, { ...action, options: '-f  -l' }, 15);
    expect(rig.ran).to.deep.equal([
      'env LC_ALL=C umount -c -- /mnt/nas',
      'env LC_ALL=C umount -c -f -l -- /mnt/nas',
    ]);
  });

  it('that is not mounted is skipped', async () => {
    for (const words of ['umount: /mnt/nas: not mounted.', 'umount: /mnt/nas: no mount point specified.']) {
      const rig = new LocalRig(() => fails(words, 32));
      expect(await rig.perform(unmountPerformer, action, 15)).to.deep.equal({
        kind: 'skipped',
        reason: '/mnt/nas is not mounted',
      });
    }
  });

  it('that is busy is reported with the processes that use it', async () => {
    const rig = new LocalRig(([program]) =>
      program === 'sh'
        ? ok(`/proc/${String(process.pid)}/cwd\n/proc/${String(process.pid)}/fd/7\n`)
        : fails('umount: /mnt/nas: target is busy.', 32),
    );
    const outcome = await rig.perform(unmountPerformer, action, 15);
    expect(outcome)
      .to.have.property('reason')
      .that.matches(
        new RegExp(
          `^exit status 32: umount: /mnt/nas: target is busy.; in use by \\S+ \\(pid ${String(process.pid)}\\)$`,
        ),
      );
  });

  it('that hangs is abandoned and reported within the budget', async () => {
    const rig = new LocalRig(() => 'hangs');
    expect(await rig.perform(unmountPerformer, action, 15)).to.deep.equal({
      kind: 'failed',
      how: 'timeout',
      reason:
        'umount did not end within its budget and was left behind: the file system, or its server, does not answer',
    });
  });

  it('is unmounted in the mount namespace of the host', async () => {
    const rig = new LocalRig(() => ok(), { mountsPrefix: ['nsenter', '--target', '1', '--mount', '--'] });
    await rig.perform(unmountPerformer, action, 15);
    expect(rig.ran).to.deep.equal(['nsenter --target 1 --mount -- env LC_ALL=C umount -c -- /mnt/nas']);
  });
});

describe('file systems', () => {
  it('are synced by a child process', async () => {
    const rig = new LocalRig(() => ok());
    expect(await rig.perform(syncPerformer, { kind: 'sync' }, 30)).to.deep.equal({ kind: 'done' });
    expect(rig.ran).to.deep.equal(['sync']);
  });
});
