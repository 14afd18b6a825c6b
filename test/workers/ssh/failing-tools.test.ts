import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ServerActionName } from '../../../shared/domain/actions/on-servers.js';
import { ActionHost } from '../../fixtures/action-host.js';
import { FakeGuests } from '../../fixtures/fake-guests.js';

describe('an action on a real hypervisor or engine', () => {
  let host: ActionHost;
  let guests: FakeGuests;
  beforeEach(() => {
    host = new ActionHost();
    guests = new FakeGuests(host);
  });
  afterEach(() => host.remove());

  /** By the clock of the script: on a busy machine it ends late. */
  const run = (name: ServerActionName, change: { timeoutSeconds: number; runtime?: 'docker' | 'podman' }) =>
    host.run(name, change, 10 * change.timeoutSeconds);

  /** The tool, but its listing number `failing` fails. */
  const withOneFailedListing = (tool: string, list: string, failing: number): void => {
    const real = join(host.folder, 'bin', tool);
    // The fake tool as it is, under another name.
    copyFileSync(real, `${real}.kept`);
    host.tool(
      tool,
      `case "$*" in *"${list}"*) n=$(cat ${host.folder}/n 2>/dev/null || echo 0); n=$((n + 1)); echo $n > ${host.folder}/n
[ "$n" -ne ${String(failing)} ] || { echo "error: Disconnected from qemu:///system due to end of file" >&2; exit 1; } ;; esac
exec ${real}.kept "$@"`,
    );
  };

  it('waits on for guests when one listing fails: they have been asked and need their time', async () => {
    guests.add('a1', 'db', 'stubborn');
    withOneFailedListing('virsh', 'list --uuid', 2);
    const end = await run('stop_vms', { timeoutSeconds: 6 });
    // The guest neither got its time nor was it forced: the final command follows at once.
    expect(guests.running, end.outputLines.join('; ')).to.deep.equal([]);
  });

  it('stops a Proxmox VM that has no name: qm lists it as "VM 101"', async () => {
    guests.add('101', 'VM 101');
    const end = await run('stop_proxmox_vms', { timeoutSeconds: 6 });
    expect(end.status).to.equal(0);
    expect(guests.running, 'still runs, and the action says ok').to.deep.equal([]);
  });

  /** Podman whose containers a unit starts again after their stop, until the unit itself is stopped. */
  const quadlet = (): void => {
    host.tool(
      'podman',
      `echo "podman $*" >>${host.notes}
cd ${host.folder}; [ -e id ] || echo 1 >id
case "$*" in
*status=paused*) ;;
*label=PODMAN*) [ -e stopped ] || echo "$(cat id) web.service" ;;
ps*) [ -e stopped ] || cat id ;;
stop*) echo 2 >id ;;
*Name*) echo web ;;
esac`,
    );
    host.tool('systemctl', `echo "systemctl $*" >>${host.notes}; : >${host.folder}/stopped`);
  };

  it('stops the unit of a container of podman that systemd starts again', async () => {
    quadlet();
    const end = await run('stop_containers', { runtime: 'podman', timeoutSeconds: 20 });
    expect(end).to.deep.equal({ status: 0, outputLines: [] });
    expect(host.noted().filter((line) => / (?:stop|kill) /.test(line))).to.deep.equal([
      'podman stop -t 14 1',
      'systemctl stop web.service',
    ]);
  });

  it('stops the unit of a rootless container as its user', async () => {
    quadlet();
    await run('stop_containers_rootless', { timeoutSeconds: 20 });
    expect(host.noted().filter((line) => / stop /.test(line))).to.include(
      'systemctl --user stop web.service',
    );
  });

  /** Docker with a context of another machine, as `docker context use nas` of the login. `kept`: sudo drops the setting. */
  const elsewhere = (kept = false): void => {
    const real = join(host.folder, 'bin', 'docker');
    copyFileSync(real, `${real}.kept`);
    host.tool(
      'docker',
      `[ "$DOCKER_CONTEXT" = default ] && [ -z "$DOCKER_HOST" ] && here=${kept ? '' : 'yes'} || here=
case $1 in
context) if [ -n "$here" ]; then echo unix:///var/run/docker.sock; else echo ssh://root@nas; fi ;;
*) [ -n "$here" ] || { echo "nas: $*" >>${host.notes}; [ "$1" != ps ] || echo n1; exit; }
  exec ${real}.kept "$@" ;;
esac`,
    );
  };

  it('stops the containers of its machine, not those of the machine of a docker context', async () => {
    guests.add('c1', 'web');
    elsewhere();
    const end = await run('stop_containers', { runtime: 'docker', timeoutSeconds: 6 });
    expect(end, host.noted().join('; ')).to.deep.equal({ status: 0, outputLines: [] });
    expect(guests.running).to.deep.equal([]);
    expect(host.noted().filter((line) => line.startsWith('nas:'))).to.deep.equal([]);
  });

  it('stops no container of another machine where sudo drops the setting, and says so', async () => {
    elsewhere(true);
    const end = await run('stop_containers', { runtime: 'docker', timeoutSeconds: 6 });
    expect(end.status).to.equal(1);
    expect(end.outputLines.join()).to.match(/docker of \S+ is set to another machine \(ssh:\/\/root@nas\)/);
    expect(host.noted().filter((line) => line.startsWith('nas:'))).to.deep.equal([]);
  });

  it('names the lock file of a Proxmox VM that another task keeps', async () => {
    guests.add('104', 'web', 'immortal');
    host.tool(
      'qm',
      `case $1 in
list) echo '      VMID NAME                 STATUS     MEM(MB)    BOOTDISK(GB) PID'
  echo '       104 web                  running    2048              32.00 77' ;;
shutdown | stop) echo "can't lock file '/var/lock/qemu-server/lock-104.conf' - got timeout" >&2; exit 255 ;;
esac`,
    );
    const end = await run('stop_proxmox_vms', { timeoutSeconds: 6 });
    expect(end.outputLines).to.deep.equal([
      "still running: 104 (web) (can't lock file '/var/lock/qemu-server/lock-104.conf' - got timeout)",
    ]);
  });

  for (const [release, cases] of [
    ['8.2', '*overrule*) ;; stop*) echo "can\'t lock file - got timeout" >&2; exit 255 ;;'],
    ['7.4', '*overrule*) echo "Unknown option: overrule-shutdown" >&2; exit 255 ;;'],
  ] as const)
    it(`forces a VM of Proxmox VE ${release}, for which the shutdown of somebody else may wait`, async () => {
      guests.add('101', 'db', 'stubborn');
      const real = join(host.folder, 'bin', 'qm');
      copyFileSync(real, `${real}.kept`);
      host.tool('qm', `case "$*" in ${cases} esac\nexec ${real}.kept "$@"`);
      const end = await run('stop_proxmox_vms', { timeoutSeconds: 4 });
      expect(guests.running, end.outputLines.join('; ')).to.deep.equal([]);
    });

  it('counts docker without its daemon as nothing to stop, in the words of newer releases', async () => {
    guests.add('c1', 'web');
    host.tool(
      'docker',
      'echo "failed to connect to the docker API at unix:///var/run/docker.sock; check if the path is correct and if the daemon is running: dial unix /var/run/docker.sock: connect: no such file or directory" >&2; exit 1',
    );
    expect(await run('stop_containers', { timeoutSeconds: 6 })).to.deep.equal({
      status: 0,
      outputLines: [],
    });
  });

  it('stops the containers of podman while docker hangs', async () => {
    guests.add('c1', 'web');
    host.tool('docker', 'exec sleep 60');
    await host.run('stop_containers', { timeoutSeconds: 6 });
    expect(guests.running).to.deep.equal([]);
  });

  it('stops the rootless containers of one user while the podman of another fails', async () => {
    guests.add('c1', 'web');
    host.tool('ps', `echo '    0 systemd'; echo '65534 conmon'; echo '1 conmon'`);
    // The first user is gone from its directory service, or its podman is broken.
    host.tool(
      'runuser',
      `case $2 in nobody) shift 3; exec "$@" ;; *) echo "runuser: user $2 does not exist" >&2; exit 1 ;; esac`,
    );
    await run('stop_containers_rootless', { timeoutSeconds: 6 });
    expect(guests.running).to.deep.equal([]);
  });
});
