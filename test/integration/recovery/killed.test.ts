// The daemon is killed at the decision, right before its record is handed to the writer and right after, while a server runs its command:
// what the next daemon knows on the same boot, and on another one. Real sshds on a network of namespaces.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { RecoveryRecord } from '../../../shared/domain/recovery/record.js';
import type { RecoveryTarget } from '../../../shared/domain/recovery/recovery-status.js';
import type { RecoveryBody } from '../../../shared/http/device-bodies.js';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import type { Machine, Relay } from '../../fixtures/namespaces.js';
import { Network, networkProblem, relayTo } from '../../fixtures/namespaces.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { journalRecords } from '../../fixtures/sequence-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { includes, until } from '../../fixtures/until.js';
import { mains } from '../../fixtures/ups-with-output.js';

const outage = { 'ups.status': 'OB DISCHRG', 'battery.charge': '80' };
const nearlyEmpty = { 'ups.status': 'OB DISCHRG', 'battery.charge': '9' };
const killing = `--import ${new URL('../../fixtures/killed-at-record.js', import.meta.url).href}`;
const names = ['nas', 'web'] as const;

describe('the record of a daemon that is killed at its decision', () => {
  let commanded: string;
  let upsd: SimulatedUpsd;
  let network: Network;
  let own: Machine;
  let relay: Relay;
  let nas: Machine;
  let sshds: readonly PrivateSshd[];
  let toml: string;
  let daemon: RunningDaemon;

  beforeEach(async function () {
    skipFor(this, networkProblem());
    commanded = join(temporaryFolder(), 'commanded');
    upsd = await startSimulatedUpsd({ ups: [{ name: 'office', table: { variables: mains, commands: {} } }] });
    network = new Network();
    own = network.machine('daemon');
    nas = network.machine('nas');
    const machines = [nas, network.machine('web')];
    // The witness of a silence.
    own.ip('route', 'add', 'default', 'via', network.machine('gateway').address);
    relay = await relayTo(own, upsd.port);
    sshds = await Promise.all(machines.map((machine) => PrivateSshd.start({ machine })));
    const [first] = sshds;
    // It goes off without an answer.
    first?.tool(
      'shutdown',
      `echo "0 shutdown $*" >> ${first.notes}; /sbin/ip link set eth0 down; touch ${commanded}; sleep 60`,
    );
    const servers = sshds.map(({ login }, place) => {
      const server = remoteServerToml({
        ...login,
        name: names[place] ?? '',
        host: machines[place]?.address ?? '',
      });
      return `${server}shutdown_order = ${String(place + 1)}\nwait_for = "commanded"\nconnect_timeout = 2\ncommand_timeout = 5\nshutdown_safety_margin = 1\n`;
    });
    toml = configurationFor({
      port: upsd.port,
      checkInterval: 0.2,
      more: `${servers.join('')}[ups.filesystems]\nsync_enabled = false\n[remote_health]\nenabled = false\n[recovery]\nenabled = true\n`,
    });
  });

  afterEach(async () => {
    await daemon.stop();
    await Promise.all([upsd.stop(), ...sshds.map((sshd) => sshd.stop())]);
    relay.stop();
    network.stop();
  });

  type Targets = Readonly<Partial<Record<string, RecoveryTarget>>>;
  const targets = (isSo: (all: Targets) => boolean): Promise<Targets> =>
    until(async () => {
      const found = ((await daemon.control('recovery')) as RecoveryBody).targets;
      return Object.fromEntries(found.map((target) => [target.name, target]));
    }, isSo);
  const recorded = (): RecoveryRecord => {
    const disk = join(daemon.directory, 'lib', 'supervisor');
    const file = readdirSync(disk).find((name) => name.endsWith('.json')) ?? '';
    const content: unknown = JSON.parse(readFileSync(join(disk, file), 'utf8').split('\n')[1] ?? '');
    if (!RecoveryRecord.is(content)) throw new Error('no record');
    return content;
  };
  const onDisk = () =>
    recorded().targets.map(({ server, before, command }) => `${server ?? 'host'} ${before} ${command}`);
  const commands = () =>
    sshds.map((sshd) => sshd.noted().filter((line) => line.startsWith('0 shutdown')).length);

  const killedAt = async (place: string) => {
    const { prefix } = own;
    const env = { NODE_OPTIONS: killing, KILLED: place, COMMANDED: commanded };
    daemon = await startDaemon({ toml, prefix, env });
    await daemon.seesAll();
    await targets((all) => names.every((name) => all[name]?.before === 'up' && all[name].state === 'up'));
    // Synced ahead.
    upsd.ups('office').set({ variables: outage });
    await until(() => recorded().inOutage);
    upsd.ups('office').set({ variables: nearlyEmpty });
    await daemon.exited;
    expect([commands(), daemon.powerOffs()]).to.deep.equal([[1, 0], []]);
  };

  for (const place of ['before', 'after'] as const) {
    it(`${place} the writer has its entry goes on with it on the same boot`, async () => {
      await killedAt(place);
      const { directory } = daemon;
      daemon = await startDaemon({ toml, prefix: own.prefix, directory });
      const { nas: down } = await targets((all) => all['nas']?.reason.startsWith('it') === true);
      expect(down).to.include({ before: 'up', state: 'skipped' });
      expect(down?.reason).to.match(/^it may have been shut down/);
      await until(() => journalRecords(directory).map(({ kind }) => kind), includes('over'));
      await until(onDisk, includes('host up given'));
      expect(onDisk()).to.deep.equal(['nas up maybe', 'web up given', 'host up given']);
      expect(daemon.powerOffs()).to.have.length(1);
    });

    it(`${place} the writer has its entry takes every server for perhaps commanded on another boot`, async () => {
      await killedAt(place);
      const { directory } = daemon;
      rmSync(join(directory, 'run'), { recursive: true });
      upsd.ups('office').set({ variables: mains });
      const bootId = join(directory, 'boot-id');
      writeFileSync(bootId, 'another-boot\n');
      const env = { RIDETHROUGH_BOOT_ID_FILE: bootId };
      daemon = await startDaemon({ toml, prefix: own.prefix, directory, env });
      const { nas: down, web } = await targets(
        (all) => all['nas']?.reason.includes('found off') === true && all['web']?.state === 'up',
      );
      expect(down).to.include({ before: 'up', state: 'skipped', level: 'off' });
      expect(down?.reason).to.match(/^it may have been shut down and was found off;/);
      expect(web).to.include({ before: 'up', reason: '' });
      await until(onDisk, includes('web up none'));
      expect(onDisk()).to.deep.equal(['nas up maybe', 'web up none', 'host up none']);
      expect([commands(), daemon.powerOffs()]).to.deep.equal([[1, 0], []]);
    });
  }
});
