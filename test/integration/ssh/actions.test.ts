import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PreShutdownAction } from '../../../shared/domain/actions/remote-work.js';
import type { StoppedGuest } from '../../../shared/domain/recovery/guest.js';
import { FakeGuests } from '../../fixtures/fake-guests.js';
import { preShutdown } from '../../fixtures/plans.js';
import { until } from '../../fixtures/until.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { accessTo, budgetOf, createTargets, shutDown, workOn } from './remote-parts.js';

type Name = PreShutdownAction['action'];
const action = (name: Name, other: Partial<PreShutdownAction> = {}): PreShutdownAction =>
  preShutdown(name, { timeoutSeconds: 20, ...other });

/** Each with an id in the format of its tool, and the name of a guest "web" in a report. */
const tools: readonly {
  readonly name: Name;
  readonly ids: readonly [string, string];
  readonly shown: string;
}[] = [
  { name: 'stop_vms', ids: ['aaaa-1', 'aaaa-2'], shown: 'web' },
  { name: 'stop_proxmox_vms', ids: ['101', '102'], shown: '102 (web)' },
  { name: 'stop_proxmox_cts', ids: ['201', '202'], shown: '202 (web)' },
  { name: 'stop_xcpng_vms', ids: ['uuid-1', 'uuid-2'], shown: 'web' },
  { name: 'stop_esxi_vms', ids: ['1', '2'], shown: '2 (web)' },
  { name: 'stop_containers', ids: ['c1', 'c2'], shown: 'web' },
  { name: 'stop_containers_rootless', ids: ['c1', 'c2'], shown: 'web of nobody' },
  { name: 'stop_compose', ids: ['c1', 'c2'], shown: 'web' },
];

/** An engine without containers. Not removed, because then the engine of this machine would be found. */
const idle = ':';

describe('a pre-shutdown action', () => {
  let sshd: PrivateSshd;
  let guests: FakeGuests;
  beforeEach(async () => {
    sshd = await PrivateSshd.start();
    guests = new FakeGuests(sshd);
  });
  afterEach(() => sshd.stop());
  const project = (timeoutSeconds = 20) => {
    const path = join(sshd.folder, "my project's $(file).yaml");
    writeFileSync(path, 'services: {}\n');
    return { path, timeoutSeconds };
  };
  const run = async (
    name: Name,
    other: Partial<PreShutdownAction> = {},
    { useSudo = false, on = sshd } = {},
  ) => {
    const projects = name === 'stop_compose' ? [project(other.timeoutSeconds)] : [];
    const outcome = await shutDown(
      accessTo(on),
      // The login is not what is tested, and two servers at once on a busy machine take their time.
      workOn({
        actions: [action(name, { projects, ...other })],
        final: null,
        useSudo,
        connectTimeoutSeconds: 30,
      }),
    );
    const step = outcome.steps[1];
    return { result: step?.result, detail: step?.detail };
  };

  for (const { name, ids, shown } of tools) {
    it(`${name} asks all, waits for all together, and reports nothing when all stop in time`, async () => {
      if (name === 'stop_containers') sshd.tool('podman', idle);
      ids.forEach((id) => guests.add(id, `guest-${id}`));
      expect(await run(name)).to.include({ result: 'ok', detail: '' });
      expect(guests.running).to.deep.equal([]);
    });

    it(`${name} forces what does not stop, names it, and names what still runs`, async () => {
      // At the same time on a second server, with a guest that nothing ends.
      const other = await PrivateSshd.start();
      const kept = new FakeGuests(other);
      if (name === 'stop_containers') for (const one of [sshd, other]) one.tool('podman', idle);
      for (const one of [guests, kept]) one.add(ids[0], 'db');
      guests.add(ids[1], 'web', 'stubborn');
      kept.add(ids[1], 'web', 'immortal');
      const runOnBoth = async () => {
        try {
          const both = await Promise.all([
            run(name, { timeoutSeconds: 20 }),
            run(name, { timeoutSeconds: 20 }, { on: other }),
          ]);
          return [...both, kept.running] as const;
        } finally {
          await other.stop();
        }
      };
      const [forced, failed, left] = await runOnBoth();
      expect(forced.result, forced.detail).to.equal('ok');
      // Container engines force by themselves after their timeout.
      if (!/compose|containers/.test(name))
        expect(forced.detail).to.match(/^did not stop in \d+ s and were forced: /);
      expect(guests.running).to.deep.equal([]);
      expect(failed).to.include({ result: 'failed', detail: `still running: ${shown}` });
      expect(left).to.deep.equal([ids[1]]);
    });

    it(`${name} has nothing to do when nothing runs`, async () => {
      expect(await run(name)).to.include({ result: 'ok', detail: '' });
      expect(guests.done).to.deep.equal([]);
    });
  }

  it('reports what it finds running long before it ends, and keeps all of its report', async () => {
    for (let id = 1_000; id < 1_004; id += 1) guests.add(String(id), `vm-${String(id)}`, 'immortal');
    const found: StoppedGuest[] = [];
    const work = workOn({ actions: [action('stop_proxmox_cts', { timeoutSeconds: 30 })], final: null });
    const { targets } = createTargets([accessTo(sshd)]);
    const outcome = targets.shutDown(work, budgetOf(work), (guests) => found.push(...guests));
    await until(() => found.length >= 4);
    const reportedFirst = performance.now();
    const { steps } = await outcome;
    expect(performance.now() - reportedFirst).to.be.greaterThan(5_000);
    const [, stop] = steps;
    expect(stop?.detail).to.match(/^still running: 1000 \(vm-1000\) .* 1003 \(vm-1003\)$/);
    const named = new Map(found.map(({ id, name }) => [id, name]));
    expect(named.size).to.equal(4);
    expect(named.get('1000')).to.equal('vm-1000');
  });

  it('asks every guest before the first has stopped', async () => {
    for (const id of ['101', '102', '103', '104']) guests.add(id, `vm-${id}`, 'together');
    expect(await run('stop_proxmox_vms')).to.include({ result: 'ok', detail: '' });
    expect(
      guests.done
        .slice(0, 4)
        .map((line) => line.split(' ').slice(0, 3).join(' '))
        .sort(),
    ).to.deep.equal(['101', '102', '103', '104'].map((id) => `qm shutdown ${id}`));
  });

  it('uses sudo for each of its tools, and for nothing else', async () => {
    guests.add('101', 'web');
    expect(await run('stop_proxmox_vms', {}, { useSudo: true })).to.include({ result: 'ok', detail: '' });
    const called = sshd.noted().filter((line) => line.startsWith('sudo '));
    expect(new Set(called.map((line) => line.split(' ')[1]))).to.deep.equal(new Set(['qm']));
  });

  it('runs as the owner of rootless containers', async () => {
    guests.add('c1', 'web');
    await run('stop_containers_rootless');
    expect(sshd.noted().find((line) => line.startsWith('runuser'))).to.match(
      /^runuser -u nobody -- env .*podman ps -q --no-trunc$/,
    );
  });

  for (const name of ['stop_containers', 'stop_containers_rootless', 'stop_compose'] as const) {
    it(`${name} skips the container in which the daemon itself runs`, async () => {
      const own = 'ab'.repeat(32);
      guests.add(own, 'ridethrough');
      guests.add('c2', 'web');
      const actions = [action(name, { projects: name === 'stop_compose' ? [project()] : [] })];
      const work = workOn({ actions, final: null });
      const outcome = await createTargets([accessTo(sshd)], own).targets.shutDown(work, budgetOf(work));
      expect(outcome).to.include({ result: 'ok', detail: '' });
      expect(guests.running).to.deep.equal([own]);
    });
  }

  it('fails when its tool is not installed, and names it', async () => {
    await sshd.stop();
    sshd = await PrivateSshd.start();
    const missing: readonly (readonly [Name, RegExp])[] = [
      ['stop_proxmox_vms', /^qm is not installed on /],
      ['stop_xcpng_vms', /^xe is not installed on /],
      ['stop_esxi_vms', /^vim-cmd is not installed on /],
    ];
    for (const [name, detail] of missing) {
      const answer = await run(name);
      expect(answer.result).to.equal('failed');
      expect(answer.detail).to.match(detail);
    }
  });

  it('fails with the error of its tool when the list is not available', async () => {
    sshd.tool('qm', 'echo "ipcc_send_rec[1] failed: Connection refused" >&2; exit 111');
    const answer = await run('stop_proxmox_vms');
    expect(answer.result).to.equal('failed');
    expect(answer.detail).to.match(
      /^what runs on .* cannot be listed: ipcc_send_rec\[1\] failed: Connection refused/,
    );
  });

  it('stop_containers stops those of one engine when the other does not run or does not answer', async () => {
    const down =
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?';
    for (const [reason, result, detail] of [
      [down, 'ok', /^$/],
      ['permission denied', 'failed', /^what docker runs on .* cannot be listed: permission denied/],
    ] as const) {
      sshd.tool('docker', `echo "${reason}" >&2; exit 1`);
      guests.add('c1', 'web');
      const answer = await run('stop_containers');
      expect(guests.running, reason).to.deep.equal([]);
      expect(answer.result).to.equal(result);
      expect(answer.detail).to.match(detail);
    }
    for (const tool of ['docker', 'podman']) sshd.tool(tool, `echo "${down}" >&2; exit 1`);
    expect((await run('stop_containers')).detail).to.match(/^no container engine runs on /);
  });

  it('names what still runs before its time is over, however slow the list of its tool is', async () => {
    sshd.tool('virsh', `case "$*" in *list*) sleep 2; echo aaaa-1 ;; *domname*) echo web ;; esac`);
    expect(await run('stop_vms', { timeoutSeconds: 20 })).to.deep.equal({
      result: 'failed',
      detail: 'still running: web',
    });
  });

  it('times out when its tool hangs', async () => {
    sshd.tool('virsh', 'exec sleep 600');
    const answer = await run('stop_vms', { timeoutSeconds: 1 });
    expect(answer).to.include({ result: 'timeout' });
  });

  it('sync syncs, and fails as sync does', async () => {
    sshd.tool('sync', `echo synced >> ${sshd.notes}`);
    expect(await run('sync')).to.include({ result: 'ok' });
    expect(sshd.noted()).to.deep.equal(['synced']);
    sshd.tool('sync', 'echo "sync: input/output error" >&2; exit 1');
    expect(await run('sync')).to.include({
      result: 'failed',
      detail: 'exit status 1: sync: input/output error',
    });
  });

  it('stop_compose names what is missing', async () => {
    const path = '/nonexistent/it\'s "here"/$(touch x).yaml';
    const answer = await run('stop_compose', { projects: [{ path, timeoutSeconds: 8 }] });
    expect(answer.result).to.equal('failed');
    expect(answer.detail).to.contain(`${path} does not exist on `);
  });

  it('unmount_filesystems unmounts each in order, whatever its name, and names what stays mounted', async () => {
    const mounts = [
      { path: '/mnt/a b/$(reboot)/`x`', options: '-l' },
      { path: "/mnt/it's off", options: '' },
      { path: '/mnt/busy', options: '-f -l' },
    ];
    const answer = await run('unmount_filesystems', { mounts });
    expect(answer).to.include({
      result: 'failed',
      detail: 'not unmounted: /mnt/busy (umount: /mnt/busy: target is busy.)',
    });
    expect(sshd.noted()).to.deep.equal([
      'umount -l /mnt/a b/$(reboot)/`x`',
      "umount /mnt/it's off",
      'umount -f -l /mnt/busy',
    ]);
  });

  it('unmount_filesystems keeps time for the others when one hangs', async () => {
    const mounts = ['/mnt/hung', '/mnt/good'].map((path) => ({ path, options: '' }));
    const answer = await run('unmount_filesystems', { mounts, timeoutSeconds: 5 });
    expect(answer).to.include({ result: 'failed', detail: 'not unmounted: /mnt/hung (umount hangs)' });
    expect(sshd.noted()).to.deep.equal(['umount /mnt/hung', 'umount /mnt/good']);
  });
});
