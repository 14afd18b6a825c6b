// What the stop scripts name as running, as the worker reads it.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ServerActionName } from '../../../shared/domain/actions/on-servers.js';
import { guestKey } from '../../../shared/domain/recovery/guest.js';
import { guestOf } from '../../../workers/remote/found-guests.js';
import { ActionHost } from '../../fixtures/action-host.js';
import { FakeGuests } from '../../fixtures/fake-guests.js';

const uuid = '6695eb01-f6a4-8304-79aa-97f2502e193f';

describe('the script of a stop', () => {
  let host: ActionHost;
  let guests: FakeGuests;
  beforeEach(() => {
    host = new ActionHost();
    guests = new FakeGuests(host);
  });
  afterEach(() => host.remove());
  /** By key, as the record has them: `ENGINE ID NAME USER`. */
  const found = () => {
    const all = host.found.map((line) => guestOf(line));
    return [...new Map(all.map((guest) => [guest === null ? '' : guestKey(guest), guest])).values()].map(
      (guest) =>
        guest === null ? 'refused' : `${guest.engine} ${guest.id} ${guest.name} ${guest.user ?? '-'}`,
    );
  };
  const projects = () => {
    const path = join(host.folder, 'compose.yaml');
    writeFileSync(path, 'services: {}\n');
    return [{ path, timeoutSeconds: 20 }];
  };

  for (const [name, id, engine] of [
    ['stop_vms', uuid, 'libvirt'],
    ['stop_proxmox_vms', '101', 'proxmox_vm'],
    ['stop_proxmox_cts', '201', 'proxmox_ct'],
    ['stop_compose', 'c1', 'docker'],
  ] as const)
    it(`names what ${name} finds running, and nothing of it is in the report`, async () => {
      guests.add(id, 'web');
      expect(await host.run(name, { projects: projects() })).to.deep.equal({ status: 0, outputLines: [] });
      expect(found()).to.deep.equal([`${engine} ${id} web -`]);
    });

  it('names the containers of both engines, and of users with their number', async () => {
    guests.add('c1', 'web');
    await host.run('stop_containers');
    expect(found()).to.have.members(['docker c1 web -', 'podman c1 web -']);
    host.found.length = 0;
    guests.add('c2', 'db');
    await host.run('stop_containers_rootless');
    expect(found()).to.deep.equal(['podman c2 db 65534']);
  });

  for (const name of ['stop_xcpng_vms', 'stop_esxi_vms'] as const satisfies readonly ServerActionName[])
    it(`names nothing with ${name}: its guests are not recorded`, async () => {
      guests.add('1', 'web');
      await host.run(name);
      expect(host.found).to.deep.equal([]);
    });

  it('asks everything to stop before it names anything, and no stop waits for a name', async () => {
    guests.add('101', 'web');
    // A listing for the names that never ends.
    const list = `n=$(cat ${host.folder}/n 2>/dev/null || echo 0); n=$((n + 1)); echo $n >${host.folder}/n`;
    host.tool(
      'pct',
      `case $1 in
list) ${list}; [ "$n" -ne 2 ] || exec sleep 4; echo 'VMID Status Lock Name'; [ ! -e ${host.folder}/guests/101 ] || echo '101 running web' ;;
shutdown) sleep 1; rm -f ${host.folder}/guests/101 ;;
esac`,
    );
    const end = await host.run('stop_proxmox_cts', { timeoutSeconds: 10 });
    expect(end).to.deep.equal({ status: 0, outputLines: [] });
    expect(existsSync(`${host.folder}/guests/101`)).to.equal(false);
    expect(found()).to.deep.equal(['proxmox_ct 101 101 -']);
  });

  it('names a guest by its UUID where virsh is old and lists only that', async () => {
    guests.add(uuid, 'web');
    host.tool(
      'virsh',
      `[ "$1" = -q ] && shift
cd ${host.folder}/guests
case "$*" in
*--all*) echo "error: Options --uuid and --name are mutually exclusive" >&2; exit 1 ;;
'list --uuid') [ ! -e ${uuid} ] || echo ${uuid} ;;
shutdown*) rm -f ${uuid} ;;
esac`,
    );
    expect(await host.run('stop_vms')).to.include({ status: 0 });
    expect(found()).to.deep.equal([`libvirt ${uuid} ${uuid} -`]);
  });

  it('says which guests HA was requested to keep started, and which it ignores', async () => {
    for (const id of ['101', '102', '103', '104']) guests.add(id, `vm${id}`);
    host.highAvailability(
      'vm: 101\n\tgroup a\n\tstate started\n\nvm: 102\n\tcomment x\n\nvm: 103\n\tstate ignored\n\nct: 104\n\tstate started\n',
    );
    await host.run('stop_proxmox_vms', { timeoutSeconds: 10 });
    expect(found()).to.deep.equal([
      'proxmox_ha vm:101 vm101 -',
      'proxmox_ha vm:102 vm102 -',
      'proxmox_vm 103 vm103 -',
      'proxmox_vm 104 vm104 -',
    ]);
  });

  it('asks ha-manager where the login may not read the file of HA', async () => {
    guests.add('201', 'web');
    host.highAvailability('ct: 201\n');
    // As a login that is not root.
    host.tool('cat', `case "$*" in (*resources.cfg*) exit 1 ;; esac; exec /bin/cat "$@"`);
    host.tool(
      'ha-manager',
      `[ "$1" = config ] && printf 'ct:201\n\tstate started\n\nvm:5\n\tstate stopped\n\n'`,
    );
    await host.run('stop_proxmox_cts', { timeoutSeconds: 10 });
    expect(found()).to.deep.equal(['proxmox_ha ct:201 web -']);
  });

  it('takes no name for a line of its own', async () => {
    guests.add('c1', 'web\nran-mark\tdocker\t$(reboot)');
    await host.run('stop_compose', { projects: projects() });
    expect(found()).to.not.include('refused');
  });
});
