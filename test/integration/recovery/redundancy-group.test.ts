// A host that two UPSes feed, as a redundancy group: power is back at the end of its shutdown on both, or on one. The whole daemon, its
// recorder, a real sshd, and harmless scripts for what it would run.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RecoveryTarget } from '../../../shared/domain/recovery/recovery-status.js';
import type { RecoveryBody } from '../../../shared/http/device-bodies.js';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { journalRecords } from '../../fixtures/sequence-daemon.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { is, isAtLeast, until } from '../../fixtures/until.js';
import { holdUmount, mains, outage, startUpsWithOutput } from '../../fixtures/ups-with-output.js';

describe('a redundancy group of two UPSes whose power is back at the end of the shutdown of its host', () => {
  let folder: string;
  let upsd: SimulatedUpsd;
  let sshd: PrivateSshd;
  let daemon: RunningDaemon;
  const cuts: string[] = [];

  beforeEach(async () => {
    cuts.length = 0;
    folder = temporaryFolder();
    holdUmount(folder);
    sshd = await PrivateSshd.start();
    upsd = await startUpsWithOutput(cuts, ['a', 'b']);
  });

  afterEach(async () => {
    goOn();
    await daemon.stop();
    await Promise.all([upsd.stop(), sshd.stop()]);
  });

  const goOn = () => writeFileSync(join(folder, 'go-on'), '');

  const toml = (minHealthy: number): string =>
    configurationFor({
      port: upsd.port,
      checkInterval: 0.2,
      apiPort: 0,
      ups: ['a', 'b'].map((name) => ({ name })),
      more: `[[redundancy_groups]]
name = "site"
ups_sources = ["a@127.0.0.1:${String(upsd.port)}", "b@127.0.0.1:${String(upsd.port)}"]
min_healthy = ${String(minHealthy)}
is_local = true
[redundancy_groups.filesystems]\nsync_enabled = false\n[redundancy_groups.filesystems.unmount]\nenabled = true\ntimeout = 60\nmounts = ["/mnt/nas"]
${remoteServerToml({ name: 'nas', ...sshd.login }).replace('ups.remote', 'redundancy_groups.remote')}when = "with_local"
halt_timeout = 1
[ups_output]\noff_after_shutdown = true\n[nut_control]\npassword = "a secret"\n[remote_health]\nenabled = false\n[recovery]\nenabled = true\n`,
    });

  const start = async (minHealthy = 1) => {
    const env = { PATH: `${folder}/bin:${process.env['PATH'] ?? ''}` };
    daemon = await startDaemon({ toml: toml(minHealthy), env });
    await daemon.seesAll();
    await nas(({ before, state }) => before === 'up' && state === 'up');
  };
  const nas = (isSo: (target: RecoveryTarget) => boolean): Promise<RecoveryTarget> => {
    const url = `http://127.0.0.1:${String(daemon.apiPort)}/api/v1/recovery`;
    const found = async () => {
      const response = await fetch(url);
      return response.ok ? ((await response.json()) as RecoveryBody).targets : [];
    };
    return until(
      found,
      ([target, ...others]) => target !== undefined && isSo(target) && others.length === 0,
    ).then(([target]) => target as RecoveryTarget);
  };
  const records = () => journalRecords(daemon.directory);
  /** Mains fail on both, the server has its command, and the unmount lasts until they are back on these. */
  const shutDown = async (returning: readonly string[], isEnough = true) => {
    for (const name of ['a', 'b']) upsd.ups(name).set({ variables: outage });
    const began = () =>
      records().some((entry) => entry.kind === 'stepBegan' && entry.step.includes('filesystem_unmount'));
    await until(began, is(true));
    const down = await nas(({ reason }) => reason.startsWith('it was shut down'));
    expect(down).to.include({ group: 'redundancy-site', before: 'up', state: 'skipped' });
    const told = await ridethrough(['recovery', 'status', '--config', join(daemon.directory, 'config.toml')]);
    expect(told.out).to.match(/^nas +redundancy-site +up +skipped .* it was shut down;/m);
    for (const name of returning) {
      upsd.ups(name).set({ variables: mains });
      await daemon.logged(new RegExp(`ups=${name}@\\S+ POWER_RESTORED`));
    }
    if (isEnough) await daemon.logged('QUORUM_RESTORED');
    goOn();
    const isOver = () => records().filter(({ kind }) => kind === 'over').length;
    await until(isOver, isAtLeast(records().filter(({ kind }) => kind === 'decided').length));
  };
  const ran = () => daemon.powerOffs().map(({ args }) => (args === '-r now' ? 'restart' : 'power-off'));
  const restartsOnDisk = (): readonly string[] => {
    const disk = join(daemon.directory, 'lib', 'supervisor');
    const texts = readdirSync(disk).map((name) => readFileSync(join(disk, name), 'utf8'));
    return texts.map(
      (text) => `${/"group":"([^"]+)"/.exec(text)?.[1] ?? ''} ${/"restarts":(\d+)/.exec(text)?.[1] ?? ''}`,
    );
  };

  it('restarts it once where it is back on both', async () => {
    await start();
    await shutDown(['a', 'b']);
    expect(ran()).to.deep.equal(['restart']);
    expect(cuts).to.deep.equal([]);
    expect(restartsOnDisk()).to.deep.equal(['redundancy-site 1']);
    await nas(({ state }) => state === 'up');
  });

  it('restarts it once where it is back on as many as keep it running, and cuts neither output', async () => {
    await start();
    await shutDown(['a']);
    expect(ran()).to.deep.equal(['restart']);
    expect(cuts).to.deep.equal([]);
    expect(restartsOnDisk()).to.deep.equal(['redundancy-site 1']);
  });

  it('powers it off where it is back on fewer, and cuts the output that has no power', async () => {
    await start(2);
    await shutDown(['a'], false);
    expect(ran()).to.deep.equal(['power-off']);
    expect(cuts).to.deep.equal(['INSTCMD b shutdown.return']);
    await daemon.logged('this host powers off: power of site is not back');
  });
});
