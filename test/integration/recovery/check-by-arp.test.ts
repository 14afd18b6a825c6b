// A drill knows by ARP alone that a server has another address than its wake: real neighbours on a network of namespaces.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RecoveryCheckBody } from '../../../shared/http/device-bodies.js';
import type { Machine, Relay } from '../../fixtures/namespaces.js';
import { Network, networkProblem, relayTo } from '../../fixtures/namespaces.js';
import { Office } from '../../fixtures/office.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import { program, ran } from '../../fixtures/ridethrough.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { until } from '../../fixtures/until.js';

const noCard = '00:00:5e:00:53:01';

describe('a drill of servers that Wake-on-LAN wakes', () => {
  const office = new Office();
  let network: Network;
  let own: Machine;
  let nas: Machine;
  let web: Machine;
  let relay: Relay;
  const sshds: PrivateSshd[] = [];

  beforeEach(async function () {
    skipFor(this, networkProblem());
    network = new Network();
    own = network.machine('daemon');
    nas = network.machine('nas');
    web = network.machine('web');
    for (const machine of [nas, web]) sshds.push(await PrivateSshd.start({ machine }));
    relay = await relayTo(own, office.upsd.port);
  });

  afterEach(async () => {
    await office.daemon?.stop();
    office.daemon = undefined;
    for (const sshd of sshds.splice(0)) await sshd.stop();
    relay.stop();
    network.stop();
  });

  /** The address that the machine really has. */
  const macOf = (machine: Machine): string => {
    const [command = '', ...args] = [...machine.prefix, 'cat', '/sys/class/net/eth0/address'];
    return execFileSync(command, args, { encoding: 'utf8' }).trim();
  };

  it('finds the one that answers with another address, and nothing of the one that agrees', async () => {
    const server = ({ name, address: host }: Machine, sshd: PrivateSshd | undefined, mac: string): string => {
      if (sshd === undefined) throw new Error('no sshd');
      return `${remoteServerToml({ ...sshd.login, name, host, port: sshd.port, knownHosts: '{directory}/known_hosts' })}
[ups.remote_servers.wake]
mac = "${mac}"
`;
    };
    const toml = configurationFor({
      port: office.upsd.port,
      more: `${server(nas, sshds[0], noCard)}${server(web, sshds[1], macOf(web))}[remote_health]\nenabled = false\n`,
    });
    const daemon = (office.daemon = await startDaemon({ toml, prefix: own.prefix }));
    await daemon.seesAll();
    const line = [process.execPath, program, 'shutdown', 'group', '--group', office.name];
    const [command = '', ...args] = [
      ...own.prefix,
      ...line,
      '--config',
      join(daemon.directory, 'config.toml'),
    ];
    const drill = await ran(command, args);
    expect(drill.out).to.match(/^ +remote_servers +nas +ok .* it answers here with the address .* \(ARP\)/m);
    const machines = await until(
      async () => ((await daemon.control('recovery/check')) as RecoveryCheckBody).machines,
      (all) => all.some(({ drilled }) => drilled !== null),
    );
    const found = machines.map(({ name, findings }) => [name, findings.some(({ kind }) => kind === 'mac')]);
    expect(found).to.deep.equal([
      ['this host', false],
      ['nas', true],
      ['web', false],
    ]);
  });
});
