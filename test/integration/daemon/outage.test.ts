import { expect } from 'chai';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { RealUpsd, nearlyEmpty, onLine } from '../../fixtures/real-upsd.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { includes, isAbove, until } from '../../fixtures/until.js';

const onBattery = 'ups.status: OB\nbattery.charge: 90\nbattery.runtime: 3000\n';

const row = async (daemon: RunningDaemon): Promise<UpsRow | undefined> => (await daemon.status()).ups[0];

describe('the daemon with a real upsd', () => {
  let upsd: RealUpsd;
  beforeEach(async () => {
    upsd = await RealUpsd.start({ ups: { office: onLine } });
  });
  afterEach(() => upsd.stop());

  for (const transport of ['network', 'tools'] as const) {
    it(`powers off exactly once in each outage with a low battery over ${transport}`, async () => {
      const daemon = await startDaemon({
        toml: configurationFor({ port: upsd.port, checkInterval: 0.5, transport }),
      });
      try {
        await daemon.seesAll();
        for (const outage of [1, 2]) {
          await upsd.rewrite('office', nearlyEmpty);
          const runs = await daemon.poweredOff(outage);
          expect(runs[0]?.args).to.equal('now UPS battery critical, shutting down');
          const shown = await until(
            () => row(daemon),
            (seen) => seen?.triggerActive === true,
          );
          expect(shown).to.include({ status: 'OB LB', triggerReason: 'LOW_BATTERY' });
          // Several more polls meet the trigger; the outage has had its sequence.
          await until(
            () => row(daemon),
            (seen) => (seen?.timeOnBattery ?? 0) >= 2,
          );
          await upsd.rewrite('office', onLine);
          const back = await until(
            () => row(daemon),
            (seen) => seen?.status === 'OL' && !seen.triggerActive,
          );
          expect(back).to.include({ triggerReason: '', timeOnBattery: 0 });
          expect(daemon.powerOffs()).to.have.length(outage);
        }
      } finally {
        await daemon.stop();
      }
    });
  }

  it('counts no outage for longer that was over while it stood still', async () => {
    const toml = configurationFor({
      port: upsd.port,
      checkInterval: 0.5,
      more: '[triggers.extended_time]\nthreshold = 10\n',
    });
    const daemon = await startDaemon({
      toml: toml.replace('[triggers]\n', '[triggers]\nconfirmations = 1\n'),
    });
    try {
      await daemon.seesAll();
      await upsd.rewrite('office', onBattery);
      await until(
        () => row(daemon),
        (seen) => seen?.status === 'OB',
      );
      // Its poller is a process of its own, and asks on: more answers of the outage, then of line power.
      daemon.signal('SIGSTOP');
      const stoppedMs = performance.now();
      const stoodFor = (ms: number) => until(() => performance.now() - stoppedMs, isAbove(ms));
      await stoodFor(3_000);
      await upsd.rewrite('office', onLine);
      await stoodFor(15_000);
      daemon.signal('SIGCONT');
      await until(() => daemon.log(), includes('POWER_RESTORED'));
      expect(daemon.log()).to.not.include('SHUTDOWN_TRIGGERED');
      expect(daemon.powerOffs()).to.deep.equal([]);
    } finally {
      await daemon.stop();
    }
  });

  it('knows of the outage that it has published when it is killed at once', async () => {
    const toml = configurationFor({ port: upsd.port, checkInterval: 0.2 });
    const first = await startDaemon({ toml });
    await upsd.rewrite('office', onBattery);
    await until(() => first.log(), includes('ON_BATTERY'), undefined, 1);
    await first.kill();
    const second = await startDaemon({ toml, directory: first.directory });
    try {
      await upsd.rewrite('office', onLine);
      await until(() => second.log(), includes('POWER_RESTORED'));
      expect(second.log()).not.to.include('ON_BATTERY');
    } finally {
      await second.stop();
    }
  });

  it('executes nothing in a dry run', async () => {
    const toml = configurationFor({
      port: upsd.port,
      checkInterval: 0.2,
      more: '[behavior]\ndry_run = true\n',
    });
    const daemon = await startDaemon({ toml });
    try {
      await upsd.rewrite('office', nearlyEmpty);
      const sequence = await until(
        () =>
          daemon.control('sequence') as Promise<{
            active: boolean;
            dryRun?: boolean;
            steps?: { state: string }[];
          }>,
        ({ steps }) =>
          steps !== undefined && steps.length > 0 && steps.every(({ state }) => state === 'done'),
      );
      expect(sequence).to.include({ dryRun: true, active: false });
      expect(daemon.powerOffs()).to.deep.equal([]);
      await daemon.logged(/dry run: would power off this host with: \S+\/shutdown now UPS battery critical/);
    } finally {
      await daemon.stop();
    }
  });

  it('keeps the outage clock across kill -9 and does not shut down twice', async () => {
    const toml = configurationFor({ port: upsd.port, checkInterval: 0.2 });
    const first = await startDaemon({ toml });
    let second: RunningDaemon | undefined;
    try {
      await upsd.rewrite('office', nearlyEmpty);
      await first.poweredOff();
      const before = await until(
        () => row(first),
        (seen) => (seen?.timeOnBattery ?? 0) >= 3,
      );
      await first.kill();
      second = await startDaemon({ toml, directory: first.directory });
      const daemon = second;
      const after = await until(
        () => row(daemon),
        (seen) => seen?.status === 'OB LB',
      );
      expect(after?.timeOnBattery).to.be.at.least(before?.timeOnBattery ?? NaN);
      expect(after?.triggerActive).to.equal(true);
      await until(
        () => row(daemon),
        (seen) => (seen?.timeOnBattery ?? 0) >= (after?.timeOnBattery ?? 0) + 2,
      );
      expect(daemon.powerOffs()).to.have.length(1);
    } finally {
      await second?.stop();
      await first.stop();
    }
  });
});
