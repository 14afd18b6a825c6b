import { expect } from 'chai';
import type { GuestEngine, RecordedGuest } from '../../../../shared/domain/recovery/guest.js';
import { guestKey } from '../../../../shared/domain/recovery/guest.js';
import type { GuestAnswer } from '../../../../shared/protocol/remote.js';
import { verdictsOf } from '../../../../supervisor/recovery/guests/server-verdicts.js';

const stopped = 1_790_000_000;
const now = stopped + 3_600;
const uuid = '00000000-0000-0000-0000-000000000001';
const guest = (engine: GuestEngine, id: string): RecordedGuest => ({
  ...{ engine, id, name: `name-${id}`, user: null },
  ...{ foundMs: 1, foundUnixSeconds: stopped, state: 'stopped', reason: '' },
});
type Said = readonly [GuestAnswer['kind'], string];

function verdict(of: RecordedGuest, ...said: readonly Said[]) {
  const answers = said.map(([kind, text]) => ({ kind, place: 0, text }));
  const found = verdictsOf([of], answers, { asked: now - 100, answered: now }).get(guestKey(of));
  if (found === undefined) throw new Error('there is no verdict');
  return 'why' in found ? `${found.kind}: ${found.why}` : found.kind;
}

const date = (seconds: number) => new Date(seconds * 1000).toISOString();
const container = (id: string, status: string, started: number, rest: object = ['', '', '']): Said => [
  'container',
  // It ended by the stop, or after a later start.
  JSON.stringify([
    [id, status, `/name-${id}`, [date(started), date(Math.max(started + 1_000, stopped + 1))], ['', '', '']],
    rest,
  ]),
];

describe('what becomes of a guest of a server', () => {
  it('that is a container is judged as on this host', () => {
    const c1 = guest('docker', 'c1');
    expect(verdict(c1, container('c1', 'exited', stopped - 100))).to.equal('start');
    expect(verdict(c1, container('c1', 'running', stopped + 100))).to.equal('runs');
    expect(verdict(c1, container('c1', 'exited', stopped + 2_000))).to.match(/^over: it was started since/);
    expect(verdict(c1, container('c1', 'exited', 1, ['task', '', '']))).to.match(/^over: /);
    expect(verdict(c1, container('c2', 'exited', 1)), 'of another').to.equal(
      'stays: the server says nothing of it',
    );
  });

  it('is judged by the clock of its server', () => {
    const c1 = guest('docker', 'c1');
    const behind: Said = ['clock', String(now - 7_200)];
    expect(verdict(c1, behind, behind, container('c1', 'exited', stopped - 7_200 + 2_000))).to.match(
      /^over: it was started since/,
    );
    const ahead: Said = ['clock', String(now + 7_200)];
    const before = JSON.stringify([
      ['c1', 'exited', '/x', [date(stopped + 7_100), date(stopped + 7_201)], ['', '', '']],
      ['', '', ''],
    ]);
    expect(verdict(c1, ahead, ahead, ['container', before])).to.equal('start');
    expect(verdict(c1, ['clock', 'noon'], container('c1', 'exited', stopped - 100))).to.equal('start');
  });

  it('is judged by the clock at the end of a look that took long', () => {
    const c1 = guest('docker', 'c1');
    const begin: Said = ['clock', String(now - 90)];
    const before = container('c1', 'exited', stopped - 20);
    expect(verdict(c1, begin, before, ['clock', String(now)]), 'started shortly before its stop').to.equal(
      'start',
    );
    const since = container('c1', 'exited', stopped + 20);
    expect(verdict(c1, begin, since, ['clock', String(now)])).to.match(/^over: it was started since/);
    expect(verdict(c1, begin, before), 'a look without an end').to.equal('start');
  });

  it('that is gone, or whose name another has, is not started', () => {
    for (const engine of ['docker', 'libvirt', 'proxmox_vm'] as const)
      expect(verdict(guest(engine, engine === 'libvirt' ? uuid : '101'), ['state', 'gone'])).to.equal('gone');
    expect(verdict(guest('podman', 'c1'), ['renamed', ''])).to.equal(
      'over: another container has its name by now',
    );
  });

  it('stays off with the words of its tool, and where nothing is said', () => {
    expect(verdict(guest('docker', 'c1'), ['refusal', 'permission denied'])).to.equal(
      'stays: permission denied',
    );
    for (const engine of ['docker', 'libvirt', 'proxmox_ct', 'proxmox_ha'] as const)
      expect(verdict(guest(engine, '101'))).to.equal('stays: the server says nothing of it');
  });

  it('of libvirt starts only from disks on a local file system', () => {
    const vm = guest('libvirt', uuid);
    const off: Said = ['state', 'shut off'];
    const listed: Said = ['listed', ''];
    const image: readonly Said[] = [
      ['disk', 'file disk vda /a b.qcow2'],
      ['fileSystem', 'xfs'],
    ];
    expect(verdict(vm, off, ...image, listed)).to.equal('start');
    expect(verdict(vm, off, ...image, ['disk', 'network disk vdb -'], listed)).to.match(/^stays: .*vdb/);
    expect(verdict(vm, off, listed)).to.match(/^stays: libvirt lists no disk/);
    const cutOff = 'stays: the server did not list its disks in time';
    for (const told of [[], image]) expect(verdict(vm, off, ...told)).to.equal(cutOff);
    expect(verdict(vm, off, ['disk', 'file disk vda /a.qcow2'], ['fileSystem', 'nfs'])).to.match(
      /^stays: .*nfs/,
    );
    expect(verdict(vm, off, ['disk', 'file disk vda /a.qcow2'])).to.match(/^stays: /);
    expect(verdict(vm, off, ['disk', 'network disk vda pool/a'])).to.match(/^stays: .*network/);
    expect(verdict(vm, ['state', 'paused (user)'])).to.equal('runs');
    expect(verdict(vm, ['state', 'crashed'])).to.equal('stays: its state is crashed');
  });

  it('of libvirt is left alone where it was migrated, whatever its disks: it runs elsewhere', () => {
    const vm = guest('libvirt', uuid);
    const disk: Said = ['disk', 'file disk vda /a.qcow2'];
    expect(verdict(vm, ['state', 'shut off (migrated)'], disk, ['fileSystem', 'xfs'])).to.equal(
      'over: it was migrated to another host',
    );
  });

  it('of libvirt is left alone where it was started and ended since the boot of its server', () => {
    const vm = guest('libvirt', uuid);
    const ended: Said = ['state', 'shut off (shutdown)'];
    const booted: Said = ['uptime', String(now - stopped - 600)];
    const before: Said = ['uptime', String(now - stopped + 600)];
    const disks: readonly Said[] = [
      ['disk', 'file disk vda /a.qcow2'],
      ['fileSystem', 'xfs'],
      ['listed', ''],
    ];
    expect(verdict(vm, booted, ended, ...disks)).to.match(/^over: it was started since/);
    expect(verdict(vm, booted, ['state', 'shut off (unknown)'], ...disks)).to.equal('start');
    expect(verdict(vm, before, ended, ...disks), 'the stop itself').to.equal('start');
    expect(verdict(vm, ended, ...disks), 'a system that does not say it').to.equal('start');
  });

  it('of Proxmox that HA keeps is never started: the command that sets its state back is told', () => {
    expect(verdict(guest('proxmox_vm', '101'), ['state', 'stopped'])).to.equal('start');
    for (const [of, sid] of [
      [guest('proxmox_vm', '101'), 'vm:101'],
      [guest('proxmox_ct', '101'), 'ct:101'],
      [guest('proxmox_ha', 'vm:101'), 'vm:101'],
    ] as const)
      expect(verdict(of, ['ha', ''], ['state', 'stopped'])).to.match(
        new RegExp(`^stays: HA .*: ha-manager set ${sid} --state started$`),
      );
    expect(verdict(guest('proxmox_ha', 'vm:101'), ['ha', ''], ['state', 'running'])).to.equal('runs');
    expect(verdict(guest('proxmox_ha', 'vm:101'), ['state', 'stopped'])).to.match(/^stays: HA, which/);
  });

  it('of a compose project starts after those it depends on', () => {
    const row = (id: string, service: string, after: string) =>
      JSON.stringify([
        [id, 'exited', id, [date(stopped - 9), date(stopped + 1)], ['shop', service, after]],
        ['', '', ''],
      ]);
    const [web, db] = [guest('docker', 'c1'), guest('docker', 'c2')];
    const answers = [
      { kind: 'container', place: 0, text: row('c1', 'web', 'db:service_healthy:false') },
      { kind: 'container', place: 1, text: row('c2', 'db', '') },
    ] as const;
    const verdicts = verdictsOf([web, db], answers, { asked: now, answered: now });
    expect(verdicts.get(guestKey(web))).to.deep.equal({ kind: 'start', after: [guestKey(db)] });
    expect(verdicts.get(guestKey(db))).to.deep.equal({ kind: 'start', after: [] });
  });
});
