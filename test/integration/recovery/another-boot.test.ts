// Who was up before an outage, over a power cut of the daemon's host: real processes on a network of namespaces.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RecoveryTarget } from '../../../shared/domain/recovery/recovery-status.js';
import type { RecoveryBody } from '../../../shared/http/device-bodies.js';
import type { Machine, Relay } from '../../fixtures/namespaces.js';
import { Network, networkProblem, relayTo } from '../../fixtures/namespaces.js';
import { Office } from '../../fixtures/office.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { until } from '../../fixtures/until.js';

/** In its own namespace: the port of a server's off check. */
const sshPort = 22;
const answering = `require('node:net').createServer((socket) => socket.destroy()).listen(${String(sshPort)}, () => console.log('ready'))`;

const recordsIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : [];

describe('the record of who was up', () => {
  const office = new Office();
  const children: ChildProcess[] = [];
  let network: Network;
  let nas: Machine;
  let own: Machine;
  let relay: Relay;

  beforeEach(async function () {
    skipFor(this, networkProblem());
    network = new Network();
    own = network.machine('daemon');
    nas = network.machine('nas');
    for (const machine of [nas, network.machine('hypervisor')]) {
      const [command = '', ...args] = [...machine.prefix, process.execPath, '-e', answering];
      const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      await once(child.stdout, 'data');
    }
    relay = await relayTo(own, office.upsd.port);
  });

  afterEach(async () => {
    await office.daemon?.stop();
    office.daemon = undefined;
    for (const child of children.splice(0)) child.kill('SIGKILL');
    relay.stop();
    network.stop();
  });

  const server = (name: string, address: string) =>
    `[[ups.remote_servers]]\nname = "${name}"\nhost = "${address}"\nuser = "root"\n`;

  /** Of both servers, once it is so. */
  const targets = (
    daemon: RunningDaemon,
    isSo: (nas: RecoveryTarget, hypervisor: RecoveryTarget) => boolean,
  ): Promise<readonly RecoveryTarget[]> =>
    until(
      async () => ((await daemon.control('recovery')) as RecoveryBody).targets,
      ([first, second]) => first !== undefined && second !== undefined && isSo(first, second),
    );

  it('names on the next boot what was up in the outage, and what is not up again', async () => {
    const toml = configurationFor({
      port: office.upsd.port,
      more: `${server('nas', nas.address)}${server('hypervisor', '10.77.0.3')}[recovery]\nenabled = true\n[remote_health]\nenabled = false\n`,
    });
    const { prefix } = own;
    const before = (office.daemon = await startDaemon({ toml, prefix }));
    await targets(before, (...all) => all.every(({ before: was, state }) => was === 'up' && state === 'up'));
    office.upsd.ups('office').set({ mainsVolts: 0 });
    const disk = join(before.directory, 'lib', 'supervisor');
    await until(() => recordsIn(disk).some((text) => text.includes('"inOutage":true')));
    await before.kill();
    rmSync(join(before.directory, 'run'), { recursive: true });
    office.upsd.ups('office').set({ mainsVolts: 230 });
    nas.ip('link', 'set', 'eth0', 'down');
    const bootId = join(before.directory, 'boot-id');
    writeFileSync(bootId, 'another-boot\n');
    const env = { RIDETHROUGH_BOOT_ID_FILE: bootId };
    const { directory } = before;
    const after = (office.daemon = await startDaemon({ toml, directory, env, prefix }));
    const [down, up] = await targets(
      after,
      // A look may come before what the disk has.
      (first, second) => first.level === 'off' && first.before !== 'unknown' && second.state === 'up',
    );
    expect(down).to.include({ name: 'nas', before: 'up', state: 'skipped' });
    expect(down?.reason).to.match(/^it may have been shut down and was found off;/);
    expect(up).to.include({ name: 'hypervisor', before: 'up', reason: '' });
    nas.ip('link', 'set', 'eth0', 'up');
  });
});
