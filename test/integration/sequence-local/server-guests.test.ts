// What a shutdown stops on a server runs again, with real engines behind a real sshd: stopped by the real script, an engine that ends as
// with its machine and begins again, and then the real start.
import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { docker, libvirt, podman } from './real-engines.js';
import { needs, Sandbox } from './sandbox.js';

const program = fileURLToPath(new URL('server-guests-program.js', import.meta.url));
const stop = { command: [process.execPath, '-e', ''], budgetSeconds: 10 } as const;
const at = (mode: 'stop' | 'start', seconds = 0, uri = '') =>
  `"${process.execPath}" "${program}" ${mode} $D/found.json ${String(seconds)} ${uri}`;

/** The first line is of the stop, the second one of the start. */
function parts(after: string) {
  const [stopped = '', started = '', ...lines] = after.split('\n');
  return {
    names: (JSON.parse(stopped) as { readonly names: readonly string[] }).names,
    ...(JSON.parse(started) as { readonly log: readonly string[]; readonly events: readonly string[] }),
    lines,
  };
}

describe('what a shutdown has stopped on a server', () => {
  let sandbox: Sandbox;
  before(function () {
    needs(this, 'no namespaces', 'true');
  });
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.remove());

  it('runs again in a real docker after a boot, whatever its policy, and nothing else does', async function () {
    needs(this, 'no docker', docker);
    const { after } = await sandbox.perform(
      `${docker}
for p in always on-failure unless-stopped no; do start --restart $p --name $p still:1; done
start --name was-off still:1; docker stop -t 0 was-off >/dev/null
start --name removed --rm still:1; start --name restarted still:1`,
      stop,
      `${at('stop')}
reboots; docker start restarted >/dev/null; docker stop -t 0 restarted >/dev/null
${at('start', 60)}
docker ps --format '{{.Names}}' | sort; engine_ends`,
    );
    const { names, log, events, lines } = parts(after);
    // Its name is asked for beside the stop, which removes it: it may be known by its id alone.
    const named = (text: string): string => text.replace(/[0-9a-f]{64}/, 'removed');
    expect(names.map(named).sort()).to.deep.equal([
      ...['always', 'no', 'on-failure', 'removed', 'restarted', 'unless-stopped'],
    ]);
    expect(lines).to.deep.equal(['always', 'no', 'on-failure', 'unless-stopped']);
    expect(events.map(named)).to.deep.equal([
      '1 guest of the server nas: removed (docker on nas does not know it any more)',
    ]);
    expect(log).to.deep.equal([
      'the container always of docker on nas, which the shutdown stopped, runs again',
      ...['no', 'on-failure'].map(
        (p) => `the container ${p} of docker on nas is started again: the shutdown stopped it`,
      ),
      'the container restarted of docker on nas, which the shutdown stopped, is not started: it was started since, and has ended again',
      'the container unless-stopped of docker on nas is started again: the shutdown stopped it',
    ]);
  });

  it('is reported by a real docker that cannot start it, in its words, and the rest runs', async function () {
    needs(this, 'no docker', docker);
    const { after } = await sandbox.perform(
      `${docker}\nmkdir $D/volume; start --name web still:1; start --name lost --mount type=bind,src=$D/volume,dst=/v still:1`,
      stop,
      `${at('stop')}\nrmdir $D/volume; ${at('start', 60)}\ndocker ps --format '{{.Names}}'; engine_ends`,
    );
    const { events, lines } = parts(after);
    expect(lines).to.deep.equal(['web']);
    expect(events).to.have.lengthOf(1);
    expect(events[0]).to.match(/^1 guest of the server nas: lost \(.*bind source path does not exist.*\)$/);
  });

  it('runs again in a real podman, but not what a unit of systemd starts', async function () {
    needs(this, 'no container can be run by podman', podman);
    const { after } = await sandbox.perform(
      `${podman}\nstart off still:1; podman stop -t 0 off >/dev/null
start unit --label PODMAN_SYSTEMD_UNIT=web.service still:1`,
      stop,
      `${at('stop')}\n${at('start', 60)}\npodman ps --format '{{.Names}}'; podman stop -a -t 0 >/dev/null`,
    );
    const { names, events, lines } = parts(after);
    expect(names).to.deep.equal(['good', 'unit']);
    expect(lines).to.deep.equal(['good']);
    expect(events).to.deep.equal([
      '1 guest of the server nas: unit (the systemd unit web.service starts it)',
    ]);
  });

  it('runs again in a real libvirt, but for what may run elsewhere', async function () {
    needs(this, 'no libvirtd with a test driver', libvirt);
    const file = (path: string) => `"type='file' device='disk'><source file='${path}'/>"`;
    const network = `"type='network' device='disk'><source protocol='rbd' name='pool/vm'><host name='192.0.2.1'/></source>"`;
    const nbd = `"type='network' device='disk'><source protocol='nbd'><host name='192.0.2.1'/></source>"`;
    const cdrom = `"type='file' device='cdrom'>"`;
    const { after } = await sandbox.perform(
      `${libvirt}\n: >$D/disk.img
guest local 1 ${file('$D/disk.img')}; guest network 2 ${network}; guest was-off 3 ${file('$D/disk.img')}
guest nbd 4 ${nbd}; guest diskless 5 ${cdrom}
for name in local network nbd diskless; do virsh -q -c "$uri" start $name >/dev/null; done`,
      stop,
      `${at('stop', 0, '"$uri"')}\n${at('start', 60, '"$uri"')}\nvirsh -q -c "$uri" list --name; exec 9>&-; kill $(cat /run/lv/pid)`,
    );
    const { names, events, lines } = parts(after);
    expect(names).to.deep.equal(['diskless', 'local', 'nbd', 'network', 'test']);
    expect(lines.filter((line) => line !== '')).to.deep.equal(['local']);
    expect(events).to.have.lengthOf(1);
    expect(events[0]).to.contain('network, nbd (its disk vda (network) is on no file system of this host)');
    expect(events[0]).to.contain(
      'diskless (libvirt lists no disk of it: what it boots from may be in use elsewhere)',
    );
  });
});
