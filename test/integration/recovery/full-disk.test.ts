// The disk of the recovery record is full at the end of a shutdown, and power is back: the whole daemon, its recorder, and harmless
// scripts for what it would run. The disk is a file system in memory, in a namespace of the daemon.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { RecoveryBody } from '../../../shared/http/device-bodies.js';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { stepsOf } from '../../../supervisor/sequence/journal/fold.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { journalRecords } from '../../fixtures/sequence-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { includes, is, until } from '../../fixtures/until.js';
import { mains, outage, startUpsWithOutput } from '../../fixtures/ups-with-output.js';
import { Sandbox, sandboxRefusal } from '../storage/sandbox.js';

const notKept =
  /power is back, and this host powers off all the same: its count of restarts is not on the disk within 2 s/;

describe('a host whose power is back at the end of its shutdown, with a full disk', () => {
  let folder: string;
  let sandbox: Sandbox;
  let sshd: PrivateSshd;
  let upsd: SimulatedUpsd;
  let daemon: RunningDaemon;
  const cuts: string[] = [];

  beforeEach(async function () {
    skipFor(this, sandboxRefusal());
    cuts.length = 0;
    folder = temporaryFolder();
    sandbox = new Sandbox();
    mkdirSync(join(folder, 'bin'));
    hold('umount');
    // The first one is before the unmount.
    hold('sync', `[ -e ${folder}/umount-may-end ] || exit 0\n`);
    sshd = await PrivateSshd.start();
    upsd = await startUpsWithOutput(cuts);
    const toml = configurationFor({
      port: upsd.port,
      checkInterval: 0.2,
      more: `${remoteServerToml({ name: 'nas', ...sshd.login })}halt_timeout = 1
[remote_health]\nenabled = false\n[ups.filesystems]\nsync_enabled = true\n[ups.filesystems.unmount]\nenabled = true\ntimeout = 60\nmounts = ["/mnt/nas"]
[ups_output]\noff_after_shutdown = true\n[nut_control]\npassword = "a secret"\n[recovery]\nenabled = true\n`,
    });
    daemon = await startDaemon({
      toml: toml.replace('"{directory}/lib"', `"${sandbox.directory}"`),
      prefix: sandbox.tmpfs('size=16m'),
      env: { PATH: `${folder}/bin:${process.env['PATH'] ?? ''}` },
    });
    sandbox.enter(daemon.pid);
    await daemon.seesAll();
    await until(recordOnDisk, includes('office'));
  });

  afterEach(async () => {
    for (const name of ['umount', 'sync']) mayEnd(name);
    await daemon.stop();
    await Promise.all([upsd.stop(), sshd.stop()]);
    sandbox.remove();
  });

  const hold = (name: string, first = '') => {
    const held = join(folder, 'bin', name);
    writeFileSync(held, `#!/bin/sh\n${first}while [ ! -e ${folder}/${name}-may-end ]; do sleep 0.05; done\n`);
    chmodSync(held, 0o755);
  };
  const mayEnd = (name: string) => writeFileSync(join(folder, `${name}-may-end`), '');
  const recordOnDisk = (): string => {
    const disk = sandbox.path('supervisor');
    const names = readdirSync(disk).filter((name) => name.endsWith('.json'));
    return names.map((name) => readFileSync(join(disk, name), 'utf8')).join('\n');
  };
  const records = () => journalRecords(daemon.directory);
  const kinds = () => records().map(({ kind }) => kind);
  const began = (step: string) => () =>
    records().some((entry) => entry.kind === 'stepBegan' && entry.step.includes(step));
  const outcomeOf = (step: string) =>
    records().flatMap((entry) =>
      entry.kind === 'stepEnded' && entry.step === step ? [entry.outcome] : [],
    )[0];
  /** Seconds that the steps took, and those that the plan gives them. */
  const timesOf = (...steps: readonly string[]) => {
    const all = records();
    const taken = all.flatMap((entry) => {
      if ((entry.kind !== 'stepBegan' && entry.kind !== 'stepEnded') || !steps.includes(entry.step))
        return [];
      return entry.kind === 'stepBegan' ? -entry.atMs : entry.atMs;
    });
    const planned = all.flatMap((entry) => (entry.kind === 'decided' ? stepsOf(entry.plan) : []));
    const budgets = planned.filter(({ id }) => steps.includes(id)).map(({ budgetSeconds }) => budgetSeconds);
    return { taken: sum(taken) / 1000, planned: sum(budgets) };
  };
  const ran = () => daemon.powerOffs().map(({ args }) => (args === '-r now' ? 'restart' : 'power-off'));
  const trouble = async () => ((await daemon.control('recovery')) as RecoveryBody).reason;

  /** Mains fail, and are back while the unmount lasts. */
  const failAndReturn = async () => {
    upsd.ups('office').set({ variables: outage });
    await until(began('filesystem_unmount'), is(true));
    upsd.ups('office').set({ variables: mains });
    await daemon.logged('POWER_RESTORED');
  };

  it('waits for neither the record nor the count longer than the plan says, cuts and powers off, and says both', async () => {
    await failAndReturn();
    sandbox.fill();
    for (const name of ['umount', 'sync']) mayEnd(name);
    await until(kinds, includes('over'));
    expect(outcomeOf('final_sync/record')).to.include({ kind: 'failed', how: 'timeout' });
    expect(timesOf('final_sync/record').planned).to.equal(2);
    const { taken, planned } = timesOf('final_sync/record', 'local_poweroff/host');
    expect(taken, 'seconds').to.be.within(3.9, planned);
    expect([ran(), cuts]).to.deep.equal([['power-off'], ['INSTCMD office shutdown.return']]);
    expect(kinds()).to.not.include('restartChosen');
    await daemon.logged(notKept);
    await daemon.logged(/SHUTDOWN_STEP_FAILED: final_sync\/record \(the record of who was up\)/);
    expect(await trouble()).to.match(/^the record of office-\S+ is not on the disk: .*ENOSPC.*Free space/);
  });

  it('powers off where it became full after the step of the record, and has counted no restart once there is space', async () => {
    await failAndReturn();
    mayEnd('umount');
    await until(() => outcomeOf('final_sync/record'), isDone);
    sandbox.fill();
    mayEnd('sync');
    await until(kinds, includes('over'));
    const { taken, planned } = timesOf('local_poweroff/host');
    expect(taken, 'seconds').to.be.within(1.9, planned);
    expect([ran(), cuts]).to.deep.equal([['power-off'], ['INSTCMD office shutdown.return']]);
    await daemon.logged(notKept);
    sandbox.free();
    await until(trouble, is(''));
    expect(recordOnDisk()).to.not.include('"restarts":1');
  });
});

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const isDone = (outcome: StepOutcome | undefined): boolean => outcome?.kind === 'done';
