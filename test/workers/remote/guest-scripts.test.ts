// What the scripts for a server say of its guests, with tools that answer as the real ones do.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { lookLines, startLines } from '../../../shared/domain/recovery/guest-scripts.js';
import type { GuestEngine, StoppedGuest } from '../../../shared/domain/recovery/guest.js';
import { script } from '../../../workers/ssh/shell.js';
import { ActionHost } from '../../fixtures/action-host.js';

const uuid = (last: number): string => `6695eb01-f6a4-8304-79aa-97f2502e193${String(last)}`;
const guest = (engine: GuestEngine, id: string, user: string | null = null): StoppedGuest => ({
  ...{ engine, id, name: `name-${id}`.slice(0, 60), user },
});

describe('the scripts for the guests of a server', () => {
  let host: ActionHost;
  beforeEach(() => {
    host = new ActionHost();
    mkdirSync(join(host.folder, 'guests'));
  });
  afterEach(() => host.remove());
  const order = (guests: readonly StoppedGuest[], mark: string) => ({
    ...{ guests, mark, useSudo: false, seconds: 20, uri: null },
  });
  const look = async (...guests: readonly StoppedGuest[]) => {
    const answers = await host.answers((mark) => lookLines(order(guests, mark)), guests.length);
    // At the begin, and at the end of a look that is not ended.
    for (const kind of ['clock', 'uptime'])
      expect(answers.filter((line) => new RegExp(`^0 ${kind} \\d+$`).test(line))).to.have.lengthOf(2);
    return answers.filter((line) => !/^0 (?:clock|uptime) /.test(line));
  };
  const start = (...guests: readonly StoppedGuest[]) =>
    host.answers((mark) => startLines(order(guests, mark)), guests.length);
  const note = (): string => `echo "$(basename "$0") $*" >> ${host.notes}\n`;

  it('are valid in a POSIX shell, whatever the uri and the names', () => {
    const guests = [
      guest('docker', 'c1'),
      guest('podman', 'c2', '1000'),
      guest('libvirt', uuid(1)),
      guest('proxmox_ha', 'vm:1'),
    ];
    const named = guests.map((one) => ({ ...one, name: `it's $(reboot) \`x\`; "` }));
    for (const lines of [lookLines, startLines]) {
      const text = script(lines({ ...order(named, 'mark'), uri: `it's $(x)`, useSudo: true }), 20_000);
      execFileSync('sh', ['-n'], { input: text });
      expect(text).to.not.contain('$(reboot)');
    }
  });

  it('ask an engine for each container, and by its name where the id is unknown', async () => {
    host.tool(
      'docker',
      `for word in "$@"; do :; done
case "$*" in
*State.Status*) case $word in (c1) echo '[["c1"]]' ;; (*) exit 1 ;; esac ;;
*) case $word in (name-c2) echo c9 ;; (*) echo "Error response from daemon: No such container: $word" >&2; exit 1 ;; esac ;;
esac`,
    );
    expect(await look(guest('docker', 'c1'), guest('docker', 'c2'), guest('docker', 'c3'))).to.deep.equal([
      '0 container [["c1"]]',
      '1 renamed',
      '2 state gone',
    ]);
  });

  it('take no silence of an engine for a container that is gone', async () => {
    const down =
      'failed to connect to the docker API at unix:///var/run/docker.sock: dial unix /var/run/docker.sock: connect: no such file or directory';
    host.tool('docker', `echo "${down}" >&2; exit 1`);
    host.tool('podman', 'exit 125');
    expect(await look(guest('docker', 'c1'), guest('podman', 'c2'))).to.deep.equal([
      `0 refusal ${down}`,
      '1 refusal',
    ]);
  });

  it('ask the podman of the user of a container', async () => {
    host.tool('podman', `${note()}echo '[["c1"]]'`);
    host.tool('runuser', `echo "runuser $2" >> ${host.notes}; shift 3; exec "$@"`);
    expect(await look(guest('podman', 'c1', '65534'))).to.deep.equal(['0 container [["c1"]]']);
    expect(host.noted()).to.include('runuser nobody');
  });

  it('tell the disks of a libvirt guest that is off, and on which file system they are', async () => {
    const image = join(host.folder, 'an image.qcow2');
    writeFileSync(image, '');
    host.tool(
      'virsh',
      `[ "$1" = -q ] && shift
case "$*" in
"domstate ${uuid(1)} --reason") echo 'shut off (migrated)'; echo ;;
"domstate ${uuid(2)} --reason") echo 'running (booted)'; echo ;;
"domstate ${uuid(4)} --reason") echo 'shut off (shutdown)'; echo ;;
domstate*) echo "error: failed to get domain '$2'" >&2; echo 'error: Domain not found: no domain with matching uuid' >&2; exit 1 ;;
"domblklist ${uuid(4)} --details") printf ' Type   Device   Target   Source\\n----------------------------------\\n\\n' ;;
domblklist*) printf ' file       disk     vda   ${image}\\n file   cdrom   sda   -\\n network    disk     vdb   -\\n' ;;
esac`,
    );
    host.tool('stat', `case "$*" in ("-L -f -c %T -- ${image}") echo xfs ;; (*) exit 1 ;; esac`);
    expect(await look(...[1, 2, 3, 4].map((last) => guest('libvirt', uuid(last))))).to.deep.equal([
      '0 state shut off (migrated)',
      `0 disk file disk vda ${image}`,
      '0 fileSystem xfs',
      '0 disk network disk vdb -',
      '0 listed',
      '1 state running (booted)',
      '2 state gone',
      '3 state shut off (shutdown)',
      '3 listed',
    ]);
  });

  it('tell the words of a stat that fails, which are no file system', async () => {
    const lost = join(host.folder, 'lost.qcow2');
    host.tool(
      'virsh',
      `[ "$1" = -q ] && shift
case $1 in
domstate) echo 'shut off (unknown)'; echo ;;
domblklist) printf ' file       disk     vda   ${lost}\\n' ;;
esac`,
    );
    expect(await look(guest('libvirt', uuid(1)))).to.deep.equal([
      '0 state shut off (unknown)',
      `0 disk file disk vda ${lost}`,
      `0 refusal its disk vda cannot be read: stat: cannot read file system information for '${lost}': No such file or directory`,
      '0 listed',
    ]);
  });

  const proxmox = (): void => {
    for (const tool of ['qm', 'pct'])
      host.tool(
        tool,
        `${note()}case $1 in
status) case $2 in (101 | 201) echo 'status: stopped' ;; (102) echo 'status: running' ;; (*) echo "Configuration file 'nodes/a/qemu-server/$2.conf' does not exist" >&2; exit 2 ;; esac ;;
start) case $2 in (101) ;; (*) echo "VM $2 already running" >&2; exit 255 ;; esac ;;
esac`,
      );
  };

  it('tell the state of guests of Proxmox, and which of them HA keeps', async () => {
    proxmox();
    host.highAvailability('vm: 101\n\tstate stopped\n\nvm: 102\n\tstate ignored\n\nct: 201\n\n');
    const asked = [
      guest('proxmox_vm', '101'),
      guest('proxmox_vm', '102'),
      guest('proxmox_ct', '201'),
      guest('proxmox_ha', 'vm:103'),
    ];
    expect(await look(...asked)).to.deep.equal([
      '0 ha',
      '0 state stopped',
      '1 state running',
      '2 ha',
      '2 state stopped',
      '3 state gone',
    ]);
  });

  it('say nothing of a guest while it cannot be read whether HA keeps it: a start would ask HA', async () => {
    proxmox();
    host.highAvailability('vm: 101\n');
    host.tool('cat', `case "$*" in (*resources.cfg*) exit 1 ;; esac; exec /bin/cat "$@"`);
    host.tool('ha-manager', 'echo "please run as root" >&2; exit 1');
    expect(await look(guest('proxmox_vm', '101'))).to.deep.equal([
      '0 refusal whether HA keeps it cannot be read: allow the login to run ha-manager',
    ]);
  });

  it('ask the other engines while one hangs, and end with their time', async () => {
    proxmox();
    host.tool('docker', 'exec sleep 8');
    const guests = [guest('docker', 'c1'), guest('proxmox_vm', '101')];
    const answers = await host.answers((mark) => lookLines({ ...order(guests, mark), seconds: 2 }), 2);
    expect(answers).to.include('1 state stopped');
  });

  it('start each guest with one argument for its id, and say what the tool refuses', async () => {
    proxmox();
    host.tool(
      'docker',
      `${note()}[ "$2" = c1 ] || { echo 'Error response from daemon: network x not found' >&2; echo 'Error: failed to start containers: c2' >&2; exit 1; }`,
    );
    host.tool('virsh', note());
    const asked = [
      guest('docker', 'c1'),
      guest('docker', 'c2'),
      guest('proxmox_vm', '101'),
      guest('proxmox_vm', '102'),
      guest('libvirt', uuid(1)),
    ];
    expect(await start(...asked)).to.deep.equal([
      '0 started',
      '1 refusal Error response from daemon: network x not found Error: failed to start containers: c2',
      '2 started',
      '3 refusal VM 102 already running',
      '4 started',
    ]);
    expect(host.noted()).to.have.members([
      'docker context inspect --format {{.Endpoints.docker.Host}}',
      'docker start c1',
      'docker start c2',
      'qm start 101',
      'qm start 102',
      `virsh -q start ${uuid(1)}`,
    ]);
  });

  it('never start a guest that HA keeps', async () => {
    proxmox();
    host.tool('ha-manager', note());
    expect(await start(guest('proxmox_ha', 'vm:101'))).to.deep.equal([]);
    expect(host.noted()).to.deep.equal([]);
    expect(readdirSync(join(host.folder, 'guests'))).to.deep.equal([]);
  });
});
