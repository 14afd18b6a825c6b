// What a shutdown stops runs again, with real engines: their containers and guests of each kind, stopped by the real step, an engine
// that ends as with its host and begins again, and then the real start.
import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { docker, libvirt, podman } from './real-engines.js';
import { needs, Sandbox } from './sandbox.js';

const program = fileURLToPath(new URL('start-guests.js', import.meta.url));
const found = 'export FOUND_FILE=$D/found.json';
const start = (seconds: number, uri = '') =>
  `"${process.execPath}" "${program}" $D/found.json ${String(seconds)} ${uri}`;
const stopAll = (runtime: 'docker' | 'podman') => ({
  action: { kind: 'stopContainers', runtime, includeUserContainers: false, stopTimeoutSeconds: 5 } as const,
  budgetSeconds: 30,
});
interface Started {
  readonly log: readonly string[];
  readonly events: readonly string[];
}

/** The first line of the output is of the program. */
function parts(after: string): { readonly started: Started; readonly lines: readonly string[] } {
  const [first = '', ...lines] = after.split('\n');
  return { started: JSON.parse(first) as Started, lines };
}

describe('what a shutdown has stopped on this host', () => {
  let sandbox: Sandbox;
  before(function () {
    needs(this, 'no namespaces', 'true');
  });
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.remove());

  it('runs again in a real docker after a boot, whatever its policy, and nothing else does', async function () {
    needs(this, 'no docker', docker);
    const report = await sandbox.perform(
      `${docker}\n${found}
for p in always on-failure unless-stopped no; do start --restart $p --name $p still:1; done
start --name was-off still:1; docker stop -t 0 was-off >/dev/null
start --name removed --rm still:1; start --name restarted still:1`,
      stopAll('docker'),
      `reboots; docker start restarted >/dev/null; docker stop -t 0 restarted >/dev/null
${start(60)}
docker ps --format '{{.Names}}' | sort; engine_ends`,
    );
    expect(report.outcome).to.deep.equal({ kind: 'done' });
    const { started, lines } = parts(report.after);
    expect(lines).to.deep.equal(['always', 'no', 'on-failure', 'unless-stopped']);
    expect(started.events).to.deep.equal([
      '1 guest of this host: removed (docker does not know it any more)',
    ]);
    expect(started.log).to.deep.equal([
      'the container always of docker, which the shutdown stopped, runs again',
      ...['no', 'on-failure'].map(
        (p) => `the container ${p} of docker is started again: the shutdown stopped it`,
      ),
      'the container restarted of docker, which the shutdown stopped, is not started: it was started since, and has ended again',
      'the container unless-stopped of docker is started again: the shutdown stopped it',
    ]);
  });

  it('runs again in a real docker without a boot, in the order of its compose project', async function () {
    needs(this, 'no docker', docker);
    const label = (key: string, value: string) => `--label com.docker.compose.${key}=${value}`;
    const service = (name: string, after: string) =>
      `start --name app-${name} ${label('project', 'app')} ${label('service', name)} ${label('depends_on', after)} ` +
      `${label('project.working_dir', '/opt/app')} ${label('project.config_files', '/opt/app/compose.yaml')} still:1`;
    const action = {
      kind: 'stopCompose',
      runtime: 'docker',
      path: '/opt/app/compose.yaml',
      stopTimeoutSeconds: 5,
    } as const;
    // The tool of compose is none of the test: it stops what it would stop.
    const tool = `cat >$D/bin/docker-compose <<'END'
#!/bin/sh
docker stop -t 1 $(docker ps -q --filter label=com.docker.compose.project=app) >/dev/null
END
chmod +x $D/bin/docker-compose`;
    const report = await sandbox.perform(
      `${docker}\n${found}\n${tool}\n${service('web', 'db:service_started:false')}\n${service('db', '')}\nstart --name other still:1`,
      { action, budgetSeconds: 30 },
      `docker ps --format '{{.Names}}' >$D/left; ${start(60)}
cat $D/left; echo; docker inspect -f '{{.State.StartedAt}} {{.Name}}' app-web app-db | sort | cut -d/ -f2; engine_ends`,
    );
    expect(report.outcome).to.deep.equal({ kind: 'done' });
    const { started, lines } = parts(report.after);
    expect(lines).to.deep.equal(['other', '', 'app-db', 'app-web']);
    expect([started.log.length, started.events]).to.deep.equal([2, []]);
  });

  it('is reported by a real docker that cannot start it, and the rest runs', async function () {
    needs(this, 'no docker', docker);
    const report = await sandbox.perform(
      `${docker}\n${found}\nmkdir $D/volume; start --name web still:1; start --name lost --mount type=bind,src=$D/volume,dst=/v still:1`,
      stopAll('docker'),
      `rmdir $D/volume; ${start(90)}\ndocker ps --format '{{.Names}}'; engine_ends`,
    );
    const { started, lines } = parts(report.after);
    expect(lines).to.deep.equal(['web']);
    expect(started.events).to.have.lengthOf(1);
    expect(started.events[0]).to.match(/^1 guest of this host: lost \(exit status 1: .*\)$/);
  });

  it('runs again in a real podman', async function () {
    needs(this, 'no container can be run by podman', podman);
    const report = await sandbox.perform(
      `${podman}\n${found}\nstart off still:1; podman stop -t 0 off >/dev/null
start unit --label PODMAN_SYSTEMD_UNIT=web.service still:1`,
      stopAll('podman'),
      `podman ps -q; ${start(60)}\npodman ps --format '{{.Names}}'; podman stop -a -t 0 >/dev/null`,
    );
    expect(report.outcome).to.deep.equal({ kind: 'done' });
    const { started, lines } = parts(report.after);
    expect(lines).to.deep.equal(['good']);
    expect(started.events).to.deep.equal([
      '1 guest of this host: unit (the systemd unit web.service starts it)',
    ]);
  });

  it('runs again in a real libvirt, but for what may run elsewhere', async function () {
    needs(this, 'no libvirtd with a test driver', libvirt);
    const uri = 'test+unix:///default?socket=/run/lv/libvirt-sock';
    const file = (path: string) => `"type='file' device='disk'><source file='${path}'/>"`;
    const network = `"type='network' device='disk'><source protocol='rbd' name='pool/vm'><host name='192.0.2.1'/></source>"`;
    const nbd = `"type='network' device='disk'><source protocol='nbd'><host name='192.0.2.1'/></source>"`;
    const cdrom = `"type='file' device='cdrom'>"`;
    const report = await sandbox.perform(
      `${libvirt}\n${found}\n: >$D/disk.img
guest local 1 ${file('$D/disk.img')}; guest network 2 ${network}; guest was-off 3 ${file('$D/disk.img')}
guest nbd 4 ${nbd}; guest diskless 5 ${cdrom}
for name in local network nbd diskless; do virsh -q -c "$uri" start $name >/dev/null; done`,
      { action: { kind: 'stopVirtualMachines', uri, maxWaitSeconds: 5 }, budgetSeconds: 30 },
      `virsh -q -c "$uri" list --name; ${start(90, '"$uri"')}\nvirsh -q -c "$uri" list --name; exec 9>&-; kill $(cat /run/lv/pid)`,
    );
    expect(report.outcome).to.deep.equal({ kind: 'done' });
    const { started, lines } = parts(report.after);
    expect(lines.filter((line) => line !== '')).to.deep.equal(['local']);
    expect(started.events).to.have.lengthOf(1);
    expect(started.events[0]).to.contain(
      'network, nbd (its disk vda (network) is on no file system of this host)',
    );
    expect(started.events[0]).to.contain(
      'diskless (libvirt lists no disk of it: what it boots from may be in use elsewhere)',
    );
    expect(started.events[0], 'that of the driver has a disk that is not there').to.contain(
      'test (its disks cannot be read',
    );
  });
});
