// A reload of the configuration in an outage and in a sequence, with recovery on, off, and as a dry run: the whole daemon, its recorder,
// real sshds on a network of namespaces where a server can really be silent, and harmless scripts for what it would run.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { RecoveryRecord } from '../../../shared/domain/recovery/record.js';
import type { RecoveryTarget } from '../../../shared/domain/recovery/recovery-status.js';
import type { RecoveryBody } from '../../../shared/http/device-bodies.js';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import type { Machine, Relay } from '../../fixtures/namespaces.js';
import { Network, networkProblem, relayTo } from '../../fixtures/namespaces.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { journalRecords } from '../../fixtures/sequence-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { includes, is, until } from '../../fixtures/until.js';
import { mains, startUpsWithOutput } from '../../fixtures/ups-with-output.js';

const outage = { 'ups.status': 'OB DISCHRG', 'battery.charge': '80' };
const nearlyEmpty = { 'ups.status': 'OB DISCHRG', 'battery.charge': '9' };
const names = ['nas', 'web', 'late'] as const;
type Name = (typeof names)[number];

interface Choices {
  readonly servers?: readonly Name[];
  readonly enabled?: boolean;
  readonly dryRun?: boolean;
}

describe('a reload with recovery', () => {
  let folder: string;
  let upsd: SimulatedUpsd;
  let network: Network;
  let own: Machine;
  let relay: Relay;
  let machines: Readonly<Record<Name, Machine>>;
  let sshds: Readonly<Record<Name, PrivateSshd>>;
  let daemon: RunningDaemon;
  const cuts: string[] = [];

  beforeEach(async function () {
    skipFor(this, networkProblem());
    cuts.length = 0;
    folder = temporaryFolder();
    upsd = await startUpsWithOutput(cuts);
    network = new Network();
    own = network.machine('daemon');
    machines = {
      nas: network.machine('nas'),
      web: network.machine('web'),
      late: network.machine('late'),
    };
    // The witness of a silence.
    own.ip('route', 'add', 'default', 'via', network.machine('gateway').address);
    relay = await relayTo(own, upsd.port);
    const [nas, web, late] = await Promise.all([
      PrivateSshd.start({ machine: machines.nas }),
      PrivateSshd.start({ machine: machines.web }),
      PrivateSshd.start({ machine: machines.late }),
    ]);
    sshds = { nas, web, late };
    // A sequence waits here until power is back.
    nas.tool(
      'shutdown',
      `echo "0 shutdown $*" >> ${nas.notes}; while [ ! -e ${folder}/go-on ]; do sleep 0.05; done`,
    );
  });

  afterEach(async () => {
    goOn();
    await daemon.stop();
    await Promise.all([upsd.stop(), ...names.map((name) => sshds[name].stop())]);
    relay.stop();
    network.stop();
  });

  const goOn = () => writeFileSync(join(folder, 'go-on'), '');

  const toml = ({ servers = ['nas', 'web'], enabled = true, dryRun = false }: Choices = {}): string =>
    configurationFor({
      port: upsd.port,
      checkInterval: 0.2,
      more: `${servers
        .map((name) => remoteServerToml({ ...sshds[name].login, name, host: machines[name].address }))
        .map(
          (text, place) =>
            `${text}shutdown_order = ${String(place + 1)}\nwait_for = "commanded"\ncommand_timeout = 60\n`,
        )
        .join('')}[ups.filesystems]\nsync_enabled = false
[ups_output]\noff_after_shutdown = true\n[nut_control]\npassword = "a secret"\n[remote_health]\nenabled = false
[behavior]\ndry_run = ${String(dryRun)}\n[recovery]\nenabled = ${String(enabled)}\n`,
    });
  const start = async (choices: Choices = {}, more: { directory?: string; bootId?: string } = {}) => {
    const { directory, bootId } = more;
    daemon = await startDaemon({
      toml: toml(choices),
      prefix: own.prefix,
      env: bootId === undefined ? {} : { RIDETHROUGH_BOOT_ID_FILE: bootId },
      ...(directory === undefined ? {} : { directory }),
    });
    await daemon.seesAll();
  };
  const reload = async (choices: Choices) => {
    daemon.configure(toml(choices));
    const { code, out, err } = await ridethrough([
      'reload',
      '--config',
      join(daemon.directory, 'config.toml'),
    ]);
    expect([code, err], out).to.deep.equal([0, '']);
  };
  /** The daemon is killed and its host loses power; mains are back at the next boot. */
  const nextBoot = async (choices: Choices) => {
    const { directory } = daemon;
    await daemon.kill();
    rmSync(join(directory, 'run'), { recursive: true });
    upsd.ups('office').set({ variables: mains });
    const bootId = join(directory, 'boot-id');
    writeFileSync(bootId, 'another-boot\n');
    await start(choices, { directory, bootId });
  };

  const status = async () => (await daemon.control('recovery')) as RecoveryBody;
  type Targets = Readonly<Partial<Record<string, RecoveryTarget>>>;
  const targets = (isSo: (all: Targets) => boolean): Promise<Targets> =>
    until(async () => {
      const found = (await status()).targets;
      return Object.fromEntries(found.map((target) => [target.name, target]));
    }, isSo);
  const areUp = (...wanted: readonly Name[]) =>
    targets((all) => wanted.every((name) => all[name]?.before === 'up' && all[name].state === 'up'));
  const recorded = (): Partial<RecoveryRecord> => {
    const disk = join(daemon.directory, 'lib', 'supervisor');
    const files = existsSync(disk) ? readdirSync(disk).filter((name) => name.endsWith('.json')) : [];
    const contents = files.map((name): unknown =>
      JSON.parse(readFileSync(join(disk, name), 'utf8').split('\n')[1] ?? ''),
    );
    return contents.find(RecoveryRecord.is) ?? {};
  };
  const recordedTarget = (name: Name) => recorded().targets?.find(({ server }) => server === name);
  const records = () => journalRecords(daemon.directory);
  const ran = () => daemon.powerOffs().map(({ args }) => (args === '-r now' ? 'restart' : 'power-off'));
  const commands = (name: Name) =>
    sshds[name].noted().filter((line) => line.includes(' shutdown ') && !line.startsWith('sudo')).length;

  /** On battery, and the nas is off with it: only the record has that it was up. */
  const failWithNas = async () => {
    upsd.ups('office').set({ variables: outage });
    await until(() => recorded().inOutage, is(true));
    machines.nas.ip('link', 'set', 'eth0', 'down');
    await targets(({ nas }) => nas?.level === 'off');
  };
  /** A sequence begins, and waits for the command of the nas. */
  const shutDown = async () => {
    upsd.ups('office').set({ variables: nearlyEmpty });
    await until(() => commands('nas'), is(1));
  };
  const powerReturns = async () => {
    upsd.ups('office').set({ variables: mains });
    await daemon.logged('POWER_RESTORED');
    goOn();
    await until(() => records().map(({ kind }) => kind), includes('over'));
  };

  it('in an outage adds a server and removes one, and keeps the record of the others, for the next boot too', async () => {
    await start();
    await areUp('nas', 'web');
    await failWithNas();
    const goneAt = Date.now() / 1000;
    const servers = ['nas', 'late'] as const;
    await reload({ servers });
    const all = await targets(({ nas, late }) => nas?.level === 'off' && late?.before === 'up');
    expect(Object.keys(all)).to.deep.equal([...servers]);
    expect([all['nas']?.before, all['late']?.before]).to.deep.equal(['up', 'up']);
    await until(() => recordedTarget('late')?.before, is('up'));
    expect(recordedTarget('nas')).to.include({ before: 'up', command: 'none' });
    expect(recordedTarget('nas')?.lookedUnixSeconds, 'no look of later').to.be.below(goneAt);
    expect(recorded().targets?.map(({ server }) => server)).to.deep.equal(['nas', 'late', null]);
    await nextBoot({ servers });
    const after = await targets(
      ({ nas, late }) => nas?.reason.includes('found off') === true && late?.state === 'up',
    );
    expect(after['nas']).to.include({ before: 'up', state: 'skipped' });
    expect(after['nas']?.reason).to.match(/^it may have been shut down and was found off;/);
  });

  it('in a sequence changes neither its commands nor its restart, and the record has both', async () => {
    await start();
    await areUp('nas', 'web');
    await shutDown();
    await reload({ servers: ['nas', 'late'], dryRun: true });
    // The nas shows it since its command, the other one once the reload is published.
    const { nas, late } = await targets(
      (all) => all['nas']?.reason.startsWith('it may have been') === true && all['late'] !== undefined,
    );
    expect(nas).to.include({ before: 'up', state: 'skipped' });
    expect(late).to.include({ before: 'unknown', state: 'skipped' });
    await powerReturns();
    expect([ran(), cuts]).to.deep.equal([['restart'], []]);
    expect(names.map(commands)).to.deep.equal([1, 1, 0]);
    await until(() => recordedTarget('nas')?.command, is('given'));
    expect(recorded().restarts).to.equal(1);
    expect(recorded().targets?.some(({ isDryRun }) => isDryRun)).to.equal(false);
    await areUp('late');
  });

  it('in an outage turns recovery off and on again, and nothing of before is forgotten', async () => {
    await start();
    await areUp('nas', 'web');
    await failWithNas();
    await reload({ enabled: false });
    await until(async () => (await status()).state, is('off'));
    const off = await targets(({ nas }) => nas?.reason.startsWith('recovery is off') === true);
    expect(off['nas']).to.include({ state: 'skipped' });
    await reload({});
    const on = await targets(({ nas, web }) => nas?.level === 'off' && web?.state === 'up');
    expect(on['nas']).to.include({ before: 'up', state: 'skipped' });
    expect((await status()).state).to.equal('idle');
    await nextBoot({});
    const after = await targets(({ nas }) => nas?.reason.includes('found off') === true);
    expect(after['nas']?.reason).to.match(/^it may have been shut down and was found off;/);
  });

  it('in a sequence turns recovery off: cut and power-off go as without it, and the log says why', async () => {
    await start();
    await areUp('nas', 'web');
    await shutDown();
    await reload({ enabled: false });
    await powerReturns();
    expect([ran(), cuts]).to.deep.equal([['power-off'], ['INSTCMD office shutdown.return']]);
    await daemon.logged('power is back, and this host powers off all the same: recovery is not enabled');
  });

  it('in a sequence turns recovery on: the record has its commands, and its plan, which has no restart, stays', async () => {
    await start({ enabled: false });
    await shutDown();
    await reload({});
    const { nas } = await targets((all) => all['nas']?.reason.startsWith('it may have been') === true);
    expect(nas?.before, 'nobody had looked').to.equal('unknown');
    await powerReturns();
    expect([ran(), cuts]).to.deep.equal([['power-off'], ['INSTCMD office shutdown.return']]);
    await until(
      () => [recordedTarget('nas')?.command, recordedTarget('web')?.command].join(),
      is('given,given'),
    );
  });

  it('after a dry run leaves it marked in the record: on the next boot nothing may have been shut down', async () => {
    await start({ dryRun: true });
    await areUp('nas', 'web');
    upsd.ups('office').set({ variables: nearlyEmpty });
    await until(() => records().map(({ kind }) => kind), includes('over'));
    await until(() => recordedTarget('nas')?.isDryRun, is(true));
    const { configHash } = recorded();
    await reload({});
    await until(() => recorded().configHash !== configHash, is(true));
    expect(recorded().targets?.map(({ isDryRun, command }) => [isDryRun, command])).to.deep.equal([
      [true, 'none'],
      [true, 'none'],
      [true, 'none'],
    ]);
    machines.nas.ip('link', 'set', 'eth0', 'down');
    await nextBoot({});
    const { nas } = await targets((all) => all['nas']?.level === 'off' && all['web']?.state === 'up');
    expect(nas?.reason).to.equal('it does not answer, and got no command of this daemon');
    expect([names.map(commands), ran(), cuts]).to.deep.equal([[0, 0, 0], [], []]);
  });
});
