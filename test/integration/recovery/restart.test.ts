// A host whose power is back at the end of its shutdown: the whole daemon, its recorder, and harmless scripts for what it would run.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { descendants, processRow, signal } from '../../fixtures/processes.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { journalRecords } from '../../fixtures/sequence-daemon.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { hasAtLeast, is, until } from '../../fixtures/until.js';
import { holdUmount, mains, outage, startUpsWithOutput } from '../../fixtures/ups-with-output.js';

describe('a host whose power is back at the end of its shutdown', () => {
  let folder: string;
  let upsd: SimulatedUpsd;
  let daemon: RunningDaemon;
  const cuts: string[] = [];

  beforeEach(async () => {
    cuts.length = 0;
    isHistoryOff = false;
    folder = temporaryFolder();
    holdUmount(folder);
    upsd = await startUpsWithOutput(cuts);
  });

  afterEach(async () => {
    await daemon.stop();
    await upsd.stop();
  });

  let isHistoryOff = false;
  const toml = (output = ''): string => {
    const text = configurationFor({
      port: upsd.port,
      checkInterval: 0.2,
      more: `${output}[ups.filesystems]\nsync_enabled = false\n[ups.filesystems.unmount]\nenabled = true\ntimeout = 60\nmounts = ["/mnt/nas"]
[ups_output]\noff_after_shutdown = true\n[nut_control]\npassword = "a secret"\n[recovery]\nenabled = true\n`,
    });
    return isHistoryOff ? text.replace('[statistics]', '[statistics]\nenabled = false') : text;
  };

  const start = async (output = '', more: { directory?: string; env?: NodeJS.ProcessEnv } = {}) => {
    const { directory } = more;
    daemon = await startDaemon({
      toml: toml(output),
      ...(directory === undefined ? {} : { directory }),
      env: { PATH: `${folder}/bin:${process.env['PATH'] ?? ''}`, ...more.env },
    });
    await daemon.seesAll();
    await until(recordOnDisk, (text) => text !== '');
  };
  const recordOnDisk = (): string => {
    const disk = join(daemon.directory, 'lib', 'supervisor');
    const files = existsSync(disk) ? readdirSync(disk) : [];
    return files.map((name) => readFileSync(join(disk, name), 'utf8')).join('\n');
  };
  const kinds = () => journalRecords(daemon.directory).map(({ kind }) => kind);
  const began = (step: string) => () =>
    journalRecords(daemon.directory).some((entry) => entry.kind === 'stepBegan' && entry.step.includes(step));

  /** Mains fail, the unmount begins, and `then` it may end. */
  const shutDown = async (then: () => Promise<unknown>) => {
    rmSync(join(folder, 'go-on'), { force: true });
    upsd.ups('office').set({ variables: outage });
    await until(began('filesystem_unmount'), is(true));
    await then();
    writeFileSync(join(folder, 'go-on'), '');
    await until(kinds, (all) => all.includes('over'));
  };
  const powerReturns = async () => {
    upsd.ups('office').set({ variables: mains });
    await daemon.logged('POWER_RESTORED');
  };
  const ran = () => daemon.powerOffs().map(({ args }) => (args === '-r now' ? 'restart' : 'power-off'));

  it('restarts in place of the cut and the power-off, with the choice in the journal and the count on the disk', async () => {
    await start();
    await shutDown(powerReturns);
    expect(ran()).to.deep.equal(['restart']);
    expect(cuts).to.deep.equal([]);
    expect(kinds()).to.include('restartChosen').and.to.include('restartEnded').and.not.include('tryBegan');
    expect(recordOnDisk()).to.include('"restarts":1');
    await daemon.logged(/power is back: this host restarts in place of its power-off \(1 of at most 2\)/);
    expect(daemon.log()).not.to.include('SHUTDOWN_STEP_FAILED');
  });

  const storage = () => descendants(daemon.pid).filter(({ command }) => command.includes('workers/storage/'));
  const signalStorage = async (name: NodeJS.Signals) => {
    const pids = (await until(storage, hasAtLeast(1))).map(({ pid }) => pid);
    signal(pids, name);
    await until(() => pids.every((pid) => 'ZT'.includes(processRow(pid)?.state ?? 'Z')));
  };

  for (const [what, harm] of [
    ['statistics off', () => Promise.resolve()],
    ['its storage worker killed', () => signalStorage('SIGKILL')],
    ['a storage worker that hangs', () => signalStorage('SIGSTOP')],
  ] as const)
    it(`restarts in the same way with ${what}, and the record is on the disk`, async () => {
      isHistoryOff = what === 'statistics off';
      await start();
      await shutDown(async () => {
        await harm();
        await powerReturns();
        // The supervisor has replaced it.
        await harm();
      });
      expect([ran(), cuts]).to.deep.equal([['restart'], []]);
      expect(recordOnDisk()).to.include('"restarts":1');
    });

  it('cuts and powers off while power is out, as without recovery', async () => {
    await start();
    await shutDown(() => Promise.resolve());
    expect(ran()).to.deep.equal(['power-off']);
    expect(cuts).to.deep.equal(['INSTCMD office shutdown.return']);
    expect(kinds()).to.not.include('restartChosen');
  });

  it('cuts and powers off where its UPS is known to cut and return on mains, and says so', async () => {
    await start('[ups.ups_output]\ncycles_on_mains = true\n');
    await shutDown(powerReturns);
    expect(ran()).to.deep.equal(['power-off']);
    expect(cuts).to.deep.equal(['INSTCMD office shutdown.return']);
    await daemon.logged(/powers off all the same: .* cuts its output on mains too, and restores it/);
  });

  it('powers off where another has set FSD, which keeps power from counting as back', async () => {
    await start();
    await shutDown(async () => {
      upsd.ups('office').set({ variables: mains });
      await daemon.logged('POWER_RESTORED');
      upsd.ups('office').set({ fsd: true });
      await daemon.logged('FSD');
    });
    expect(ran()).to.deep.equal(['power-off']);
  });

  it('is restarted by the next daemon where this one is killed by its own restart, and never powered off', async () => {
    await start();
    const { directory, pid } = daemon;
    const script = join(directory, 'shutdown');
    const runs = join(directory, 'power-offs');
    // The first restart kills the daemon before it does anything else.
    writeFileSync(
      script,
      `#!/bin/sh\nif [ ! -e ${folder}/killed ]; then touch ${folder}/killed; kill -9 ${String(pid)}; sleep 0.3; exit 1; fi\n` +
        `echo "$(date +%s.%N) $*" >>${runs}\n`,
    );
    rmSync(join(folder, 'go-on'), { force: true });
    upsd.ups('office').set({ variables: outage });
    await until(began('filesystem_unmount'), is(true));
    await powerReturns();
    writeFileSync(join(folder, 'go-on'), '');
    await daemon.exited;
    expect(kinds().at(-1)).to.equal('restartChosen');
    await start('', { directory });
    await until(kinds, (all) => all.includes('over'));
    expect(ran()).to.deep.equal(['restart']);
    expect(cuts).to.deep.equal([]);
    expect(kinds()).to.not.include('tryBegan');
  });

  it('runs a restart whose client a signal ends once, and neither cuts, powers off nor says that it stays up', async () => {
    await start();
    const runs = join(daemon.directory, 'power-offs');
    writeFileSync(
      join(daemon.directory, 'shutdown'),
      `#!/bin/sh\necho "$(date +%s.%N) $*" >>${runs}\nkill -TERM $$\n`,
    );
    await shutDown(powerReturns);
    expect(ran()).to.deep.equal(['restart']);
    expect(cuts).to.deep.equal([]);
    expect(kinds()).to.include('restartEnded').and.to.not.include('givenUp').and.not.include('tryBegan');
    await daemon.logged(/SHUTDOWN_STEP_FAILED: local_poweroff\/host .*: ended by SIGTERM/);
  });

  it('restarts twice over boots, and stays up the third time: never a loop', async () => {
    let more = {};
    for (const boot of [1, 2, 3]) {
      await start('', more);
      await shutDown(powerReturns);
      const { directory } = daemon;
      if (boot === 3) break;
      await until(() => daemon.powerOffs(), hasAtLeast(boot));
      expect(recordOnDisk()).to.include(`"restarts":${String(boot)}`);
      await daemon.kill();
      rmSync(join(directory, 'run'), { recursive: true });
      const bootId = join(directory, 'boot-id');
      writeFileSync(bootId, `boot-${String(boot + 1)}\n`);
      more = { directory, env: { RIDETHROUGH_BOOT_ID_FILE: bootId } };
    }
    expect(ran()).to.deep.equal(['restart', 'restart']);
    expect(cuts).to.deep.equal([]);
    expect(kinds()).to.include('givenUp').and.not.include('tryBegan');
    await daemon.logged(/this host has restarted 2 times .* this host stays up; ridethrough recovery status/);
  });
});
