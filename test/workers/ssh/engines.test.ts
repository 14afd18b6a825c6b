// The container engine and libvirt of an action, with and without a host delegate.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ActionHost } from '../../fixtures/action-host.js';
import { FakeGuests } from '../../fixtures/fake-guests.js';
import { serverActions } from '../../../shared/domain/actions/on-servers.js';

describe('the container engine of an action', () => {
  let host: ActionHost;
  let guests: FakeGuests;
  let projects: readonly { readonly path: string; readonly timeoutSeconds: number }[];
  beforeEach(() => {
    host = new ActionHost();
    guests = new FakeGuests(host);
    projects = [{ path: join(host.folder, 'compose.yaml'), timeoutSeconds: 20 }];
    for (const { path } of projects) writeFileSync(path, 'services: {}\n');
    for (const engine of ['docker', 'podman'])
      host.tool(`${engine}-compose`, `echo ${engine}-compose >> ${host.notes}; exec ${engine} compose "$@"`);
  });
  afterEach(() => host.remove());
  const programs = () => new Set(host.noted().map((line) => line.split(' ')[0]));

  for (const runtime of ['podman', 'docker'] as const)
    it(`is ${runtime} alone with runtime = "${runtime}", for all containers and for projects`, async () => {
      guests.add('c1', 'web');
      expect(await host.run('stop_containers', { runtime })).to.deep.equal({ status: 0, outputLines: [] });
      expect(guests.running).to.deep.equal([]);
      expect(programs()).to.deep.equal(new Set([runtime]));
      guests.add('c2', 'db');
      expect(await host.run('stop_compose', { runtime, projects })).to.deep.equal({
        status: 0,
        outputLines: [],
      });
      expect(guests.running).to.deep.equal([]);
      const other = runtime === 'podman' ? 'docker' : 'podman';
      expect(programs()).not.to.include.members([other]);
      expect(programs()).not.to.include.members([`${other}-compose`]);
    });

  it('is each of both for all containers with "auto", and podman before docker for projects', async () => {
    guests.add('c1', 'web');
    await host.run('stop_containers', { runtime: 'auto' });
    expect(programs()).to.deep.equal(new Set(['docker', 'podman']));
    writeFileSync(host.notes, '');
    await host.run('stop_compose', { runtime: 'auto', projects });
    expect(programs()).to.deep.equal(new Set(['podman-compose', 'podman']));
    writeFileSync(host.notes, '');
    await host.run('stop_compose', { projects });
    expect(programs()).to.deep.equal(new Set(['docker']));
  });

  it('that is in a swarm is looked at for some seconds more: its tasks that come back still run', async () => {
    host.tool('podman', ':');
    host.tool(
      'docker',
      `cd ${host.folder}; case $1 in
info) echo active ;;
ps) [ ! -e task ] || echo task-$(cat task) ;;
stop) rm -f task; ( sleep 3; echo 2 >task ) >/dev/null 2>&1 & ;;
inspect) echo "/web.1.y" ;;
esac`,
    );
    writeFileSync(join(host.folder, 'task'), '1');
    expect(await host.run('stop_containers', { timeoutSeconds: 20 })).to.deep.equal({
      status: 1,
      outputLines: ['still running: web.1.y (started again after the stop: a swarm?)'],
    });
  });

  /** It lists a paused container where it is asked for one alone, and refuses to stop it. */
  const paused = (folder: string): string => `cd ${folder}; case "$*" in
*status=paused*) [ ! -e paused ] || echo c1 ;;
ps*) [ -e paused ] || [ ! -e task ] || echo c1 ;;
unpause*) rm -f paused ;;
stop*) [ -e paused ] || rm -f task ;;
esac`;

  for (const [action, name] of [
    ['stop_containers', 'all containers'],
    ['stop_containers_rootless', 'those of users'],
  ] as const)
    it(`that is podman goes on with a paused container before it stops ${name}`, async () => {
      host.tool('docker', 'exit 127');
      host.tool('podman', paused(host.folder));
      host.tool('ps', 'echo "$(id -u) conmon"');
      host.tool('id', 'case $1 in -u) echo 1000 ;; *) echo somebody ;; esac');
      for (const file of ['task', 'paused']) writeFileSync(join(host.folder, file), '');
      const order = action === 'stop_containers' ? { runtime: 'podman' as const } : {};
      expect(await host.run(action, { ...order, timeoutSeconds: 10 })).to.deep.equal({
        status: 0,
        outputLines: [],
      });
      expect(readdirSync(host.folder)).not.to.include.members(['task']);
    });

  it('is checked by a drill', () => {
    const asked = (name: 'stop_containers' | 'stop_compose', runtime: 'auto' | 'podman' | 'docker' | null) =>
      serverActions[name].needs({ runtime });
    expect(asked('stop_containers', 'podman')).to.deep.equal(['podman ps -q']);
    expect(asked('stop_containers', 'docker')).to.deep.equal(['docker ps -q']);
    for (const runtime of ['auto', null] as const)
      expect(asked('stop_containers', runtime)).to.deep.equal(['docker ps -q', 'podman ps -q']);
    expect(asked('stop_compose', 'podman')).to.deep.equal([
      'podman-compose version',
      'podman compose version',
    ]);
    expect(asked('stop_compose', 'docker')).to.deep.equal([
      'docker compose version',
      'docker-compose version',
    ]);
    expect(asked('stop_compose', null)).to.have.members([...asked('stop_compose', 'auto')]);
  });
});

describe('the libvirt connection of an action', () => {
  let host: ActionHost;
  let guests: FakeGuests;
  beforeEach(() => {
    host = new ActionHost();
    guests = new FakeGuests(host);
  });
  afterEach(() => host.remove());

  it('is the configured one in every call, with any characters', async () => {
    const uri = `qemu+ssh://it's/$(touch ${host.folder}/made)/\`x\`/"a"  *;?socket=/run/x`;
    guests.add('a', 'web');
    guests.add('b', 'db', 'stubborn');
    await host.run('stop_vms', { uri, timeoutSeconds: 5 });
    expect(guests.running).to.deep.equal([]);
    const calls = host.noted();
    expect(calls).to.include.members([`virsh -q -c ${uri} shutdown a`, `virsh -q -c ${uri} destroy b`]);
    expect(calls.filter((line) => !line.startsWith(`virsh -q -c ${uri} `))).to.deep.equal([]);
  });

  it('is the default of the login otherwise', async () => {
    guests.add('a', 'web');
    await host.run('stop_vms');
    expect(host.noted()).to.include('virsh -q shutdown a');
  });
});
