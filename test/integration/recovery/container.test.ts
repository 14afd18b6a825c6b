// The daemon in a real container of podman, which finds out by itself where it runs: power is back at the end of the shutdown of its
// host, a real sshd outside.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { descendants, signal } from '../../fixtures/processes.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import { program } from '../../fixtures/ridethrough.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { journalRecords } from '../../fixtures/sequence-daemon.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { includes, is, until } from '../../fixtures/until.js';
import { mains, outage, startUpsWithOutput } from '../../fixtures/ups-with-output.js';
import { emptyPodman, podman } from '../sequence-local/real-engines.js';
import { needs } from '../sequence-local/sandbox.js';

const tree = fileURLToPath(new URL('../../../../', import.meta.url));
const namespaces = ['unshare', '-m', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** As the image that is shipped: scripts/packaging/oci. */
const user = 900;
const asShipped = [
  `--user=${String(user)}:${String(user)}`,
  '--read-only',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
];

/**
 * Prefix that runs a program in a container on an image without any file, with the programs of this machine; `directory` is its volume,
 * `keys` what it may read.
 */
function container(engine: string, directory: string, keys: string): readonly string[] {
  const places = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc/passwd', '/etc/group'];
  const read = [...places.filter(existsSync), tree, process.execPath, keys];
  const volumes = [...read.map((path) => `${path}:${path}:ro`), `${directory}:${directory}`];
  const others = ['--rm', '--pull=never', '--network=host', '--ulimit=host', '--cgroups=disabled'];
  const options = [...asShipped, ...others, ...volumes.map((volume) => `--volume=${volume}`)];
  const script = `set -e
D=${engine}
${emptyPodman}
chown -R ${String(user)} ${directory} ${keys}
exec podman run ${options.join(' ')} --entrypoint '[]' still:1 "$@"`;
  return [...namespaces, 'sh', '-c', script, 'sh'];
}

describe('a daemon in a container of podman', () => {
  let folder: string;
  let upsd: SimulatedUpsd;
  let host: PrivateSshd;
  let daemon: RunningDaemon;
  const cuts: string[] = [];

  before(function () {
    needs(this, 'no container can be run by podman', podman);
  });

  beforeEach(async () => {
    cuts.length = 0;
    folder = temporaryFolder();
    host = await PrivateSshd.start();
    // Until power is back.
    host.tool('umount', `while [ ! -e ${folder}/go-on ]; do sleep 0.05; done`);
    upsd = await startUpsWithOutput(cuts);
  });

  afterEach(async () => {
    goOn();
    signal(supervisor(), 'SIGTERM');
    await daemon.exited;
    await daemon.stop();
    await Promise.all([upsd.stop(), host.stop()]);
  });

  const goOn = () => writeFileSync(join(folder, 'go-on'), '');
  const start = async (restartCommand: string) => {
    const directory = temporaryFolder();
    const { login } = host;
    daemon = await startDaemon({
      toml: configurationFor({
        port: upsd.port,
        checkInterval: 0.2,
        more: `${remoteServerToml({ ...login, name: 'host', knownHosts: '{directory}/known_hosts' })}host_delegate = true
shutdown_command = "shutdown -h now"
${restartCommand}
shutdown_safety_margin = 1
[ups.filesystems]\nsync_enabled = false\n[ups.filesystems.unmount]\nenabled = true\ntimeout = 60\nmounts = ["/mnt/nas"]
[ups_output]\noff_after_shutdown = true\n[nut_control]\npassword = "a secret"\n[remote_health]\nenabled = false\n[recovery]\nenabled = true\n`,
      }),
      directory,
      prefix: container(temporaryFolder(), directory, host.folder),
    });
    await daemon.seesAll();
    await until(recordOnDisk, includes('office'));
  };
  /** The first process of its container, which is that of a namespace inside another one. */
  const supervisor = (): readonly number[] =>
    descendants(daemon.pid)
      .filter(({ command }) => command.includes(program))
      .map(({ pid }) => pid)
      .filter((pid) => /^NSpid:\s+\d+\s+\d+\s+1$/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8')));
  const recordOnDisk = (): string => {
    const disk = join(daemon.directory, 'lib', 'supervisor');
    const names = existsSync(disk) ? readdirSync(disk) : [];
    return names.map((name) => readFileSync(join(disk, name), 'utf8')).join('\n');
  };
  const records = () => journalRecords(daemon.directory);
  const ran = () => host.noted().flatMap((line) => (/ shutdown (.*)/.exec(line) ?? []).slice(1));
  const failAndReturn = async () => {
    upsd.ups('office').set({ variables: outage });
    await until(
      () =>
        records().some((entry) => entry.kind === 'stepBegan' && entry.step.includes('filesystem_unmount')),
      is(true),
    );
    upsd.ups('office').set({ variables: mains });
    await daemon.logged('POWER_RESTORED');
    goOn();
    await until(() => records().map(({ kind }) => kind), includes('over'));
  };

  it('restarts its host once by the restart_command of its delegate, with the count on the disk', async () => {
    await start('restart_command = "shutdown -r now"');
    await failAndReturn();
    expect(ran()).to.deep.equal(['-r now']);
    expect([cuts, daemon.powerOffs()]).to.deep.equal([[], []]);
    expect(recordOnDisk()).to.include('"restarts":1');
    const status = readFileSync(`/proc/${String(supervisor()[0])}/status`, 'utf8');
    expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).to.equal(String(user));
    expect(/^CapBnd:\s+(\w+)/m.exec(status)?.[1]).to.match(/^0+$/);
  });

  it('cuts and powers it off where its delegate has none', async () => {
    await start('');
    await failAndReturn();
    expect(ran()).to.deep.equal(['-h now']);
    expect(cuts).to.deep.equal(['INSTCMD office shutdown.return']);
  });
});
