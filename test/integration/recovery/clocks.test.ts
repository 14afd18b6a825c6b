// The record over boots whose wall clock is that of 1970, or an hour behind, and over outages in which it is set: the whole daemon, its
// recorder, and a server that is really off, on a network of namespaces.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
import { program, ran } from '../../fixtures/ridethrough.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { journalRecords } from '../../fixtures/sequence-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { includes, is, until } from '../../fixtures/until.js';
import { holdUmount, mains, outage } from '../../fixtures/ups-with-output.js';
import { removeLeftBehind } from '../../hold/clock.js';
import { SettableClock, libfaketime } from '../../torture/settable-clock.js';

const of1970 = -Math.floor(Date.now() / 3_600_000);

describe('the record of who was up on a host whose clock is wrong', () => {
  let folder: string;
  let directory: string;
  let clock: SettableClock;
  let upsd: SimulatedUpsd;
  let network: Network;
  let own: Machine;
  let relay: Relay;
  let nas: Machine;
  let sshd: PrivateSshd;
  let daemon: RunningDaemon;

  beforeEach(async function () {
    skipFor(this, libfaketime() === null && 'libfaketime is missing (Debian: the package libfaketime)');
    skipFor(this, networkProblem());
    folder = temporaryFolder();
    directory = temporaryFolder();
    clock = new SettableClock(directory, libfaketime() ?? '');
    holdUmount(folder);
    upsd = await startSimulatedUpsd({ ups: [{ name: 'office', table: { variables: mains, commands: {} } }] });
    network = new Network();
    own = network.machine('daemon');
    nas = network.machine('nas');
    // The witness of a silence.
    own.ip('route', 'add', 'default', 'via', network.machine('gateway').address);
    relay = await relayTo(own, upsd.port);
    sshd = await PrivateSshd.start({ machine: nas });
    sshd.tool('shutdown', '(sleep 0.5; /sbin/ip link set eth0 down) >/dev/null 2>&1 &');
  });

  afterEach(async () => {
    goOn();
    await daemon.stop();
    await Promise.all([sshd.stop(), upsd.stop()]);
    relay.stop();
    network.stop();
  });
  after(removeLeftBehind);

  const goOn = () => writeFileSync(join(folder, 'go-on'), '');

  /** A boot with this clock, in hours from the right one. */
  const boot = async (number: number, hours: number) => {
    const bootId = join(folder, 'boot-id');
    writeFileSync(bootId, `boot-${String(number)}\n`);
    rmSync(join(directory, 'run'), { recursive: true, force: true });
    clock.set(hours);
    const server = remoteServerToml({ ...sshd.login, name: 'nas', host: nas.address });
    daemon = await startDaemon({
      toml: configurationFor({
        port: upsd.port,
        checkInterval: 0.2,
        more: `${server}connect_timeout = 2\n[ups.filesystems]\nsync_enabled = false\n[ups.filesystems.unmount]\nenabled = true\ntimeout = 60\nmounts = ["/mnt/nas"]
[remote_health]\nenabled = false\n[recovery]\nenabled = true\n`,
      }),
      directory,
      prefix: own.prefix,
      env: {
        ...clock.inherited,
        PATH: `${folder}/bin:${process.env['PATH'] ?? ''}`,
        RIDETHROUGH_BOOT_ID_FILE: bootId,
      },
    });
    await daemon.seesAll();
    await until(recorded, ({ bootId: of }) => of === `boot-${String(number)}`);
  };
  const recorded = (): Partial<RecoveryRecord> => {
    const disk = join(directory, 'lib', 'supervisor');
    const names = existsSync(disk) ? readdirSync(disk).filter((name) => name.endsWith('.json')) : [];
    return (
      names.map((name) => {
        const [, text = ''] = readFileSync(join(disk, name), 'utf8').split('\n');
        const content: unknown = JSON.parse(text);
        if (!RecoveryRecord.is(content)) throw new Error(`no record: ${text}`);
        return content;
      })[0] ?? {}
    );
  };
  const target = async () => ((await daemon.control('recovery')) as RecoveryBody).targets[0];
  const records = () => journalRecords(directory);
  const ranHere = () => daemon.powerOffs().map(({ args }) => (args === '-r now' ? 'restart' : 'power-off'));

  /** Mains fail; the clock is set so many hours from the right one; mains are back before the last steps. */
  const outageWith = async (hours: readonly number[]) => {
    rmSync(join(folder, 'go-on'), { force: true });
    upsd.ups('office').set({ variables: outage });
    const began = () =>
      records().some((entry) => entry.kind === 'stepBegan' && entry.step.includes('filesystem_unmount'));
    await until(began, is(true));
    for (const hour of hours) await clock.setEverywhere(hour);
    await isTold();
    upsd.ups('office').set({ variables: mains });
    await daemon.logged('POWER_RESTORED');
    goOn();
    await until(() => records().map(({ kind }) => kind), includes('over'));
  };

  /** What is told has no negative number, as text and as JSON. */
  const isTold = async () => {
    for (const what of ['status', 'check']) {
      const [node = '', ...args] = [...own.prefix, process.execPath, program, 'recovery', what];
      const line = [...args, '--config', join(directory, 'config.toml')];
      const [text, json] = await Promise.all([ran(node, line), ran(node, [...line, '--json'])]);
      expect(text.out)
        .to.contain('nas')
        .and.to.not.match(/(^|[^\w-])-\d/m);
      expect(negatives(JSON.parse(json.out))).to.deep.equal([]);
    }
  };

  it('is read the same at each boot, and neither its answers nor its restarts change by a clock', async () => {
    await boot(1, 0);
    await until(target, (found) => found?.before === 'up' && found.state === 'up');
    await outageWith([-1]);
    expect(recorded().restarts).to.equal(1);
    for (const [number, hours, set] of [
      [2, of1970, [0, -1]],
      [3, -1, [of1970]],
    ] as const) {
      await daemon.kill();
      await boot(number, hours);
      // The record follows the look within a second.
      const isFoundOff = (one: RecoveryTarget | undefined) =>
        one?.level === 'off' && one.reason.startsWith('it was shut down and was found off;');
      expect(await until(target, isFoundOff)).to.include({ before: 'up', state: 'skipped' });
      expect(recorded().restarts).to.equal(number - 1);
      await isTold();
      await outageWith(set);
      expect(await target()).to.include({ before: 'up', state: 'skipped' });
    }
    expect(ranHere()).to.deep.equal(['restart', 'restart']);
    expect(recorded().restarts).to.equal(2);
    await daemon.logged(/this host has restarted 2 times .* this host stays up/);
    nas.ip('link', 'set', 'eth0', 'up');
  });
});

/** Every negative number in it. */
function negatives(value: unknown): readonly number[] {
  if (typeof value === 'number') return value < 0 ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(negatives);
}
