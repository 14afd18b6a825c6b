import { expect } from 'chai';
import { configurationFor } from '../../fixtures/one-ups.js';
import { RealUpsd } from '../../fixtures/real-upsd.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';

const onLine = 'ups.status: OL\nbattery.charge: 100\nbattery.runtime: 3600\nups.load: 23\n';
const nearlyEmpty = 'ups.status: OB LB\nbattery.charge: 5\nbattery.runtime: 90\nups.load: 23\n';

interface Row {
  readonly status: string;
  readonly connectionState: string;
  readonly triggerActive: boolean;
  readonly triggerReason: string;
  readonly timeOnBattery: number;
}

async function row(daemon: RunningDaemon): Promise<Row | undefined> {
  return ((await daemon.control('status')) as { ups: Row[] }).ups[0];
}

describe('the daemon with a real upsd', function () {
  this.timeout(60_000);
  let upsd: RealUpsd;
  beforeEach(async () => {
    upsd = await RealUpsd.start({ ups: { office: onLine } });
  });
  afterEach(() => upsd.stop());

  for (const transport of ['network', 'tools'] as const) {
    it(`detects an outage with a low battery over ${transport} and powers off exactly once`, async () => {
      const daemon = await startDaemon({ toml: configurationFor({ port: upsd.port, transport }) });
      try {
        await until(
          () => row(daemon),
          (seen) => seen?.connectionState === 'OK',
        );
        await upsd.rewrite('office', nearlyEmpty);
        const runs = await until(
          () => daemon.powerOffs(),
          (list) => list.length > 0,
        );
        expect(runs[0]?.args).to.equal('UPS battery critical, shutting down');
        expect(
          await until(
            () => row(daemon),
            (seen) => seen?.triggerActive === true,
          ),
        ).to.include({
          status: 'OB LB',
          triggerReason: 'LOW_BATTERY',
        });
        // Several more polls meet the trigger; the outage has had its sequence.
        await until(
          () => row(daemon),
          (seen) => (seen?.timeOnBattery ?? 0) >= 4,
        );
        expect(daemon.powerOffs()).to.have.length(1);
        await upsd.rewrite('office', onLine);
        expect(
          await until(
            () => row(daemon),
            (seen) => seen?.status === 'OL' && !seen.triggerActive,
          ),
        ).to.include({
          triggerReason: '',
          timeOnBattery: 0,
        });
        expect(daemon.powerOffs()).to.have.length(1);
      } finally {
        await daemon.stop();
      }
    });
  }

  it('knows of the outage that it has published when it is killed at once', async () => {
    const toml = configurationFor({ port: upsd.port, checkInterval: 0.2 });
    const first = await startDaemon({ toml });
    await upsd.rewrite('office', 'ups.status: OB\nbattery.charge: 90\nbattery.runtime: 3000\n');
    await until(
      () => first.log(),
      (log) => log.includes('ON_BATTERY'),
      10_000,
      1,
    );
    first.signal('SIGKILL');
    await first.exited;
    const second = await startDaemon({ toml, directory: first.directory });
    try {
      await upsd.rewrite('office', onLine);
      await until(
        () => second.log(),
        (log) => log.includes('POWER_RESTORED'),
      );
      expect(second.log()).not.to.include('ON_BATTERY');
    } finally {
      await second.stop();
    }
  });

  it('arms again after power returns: the next outage has its own sequence', async () => {
    const daemon = await startDaemon({ toml: configurationFor({ port: upsd.port, checkInterval: 0.2 }) });
    try {
      await until(
        () => row(daemon),
        (seen) => seen?.connectionState === 'OK',
      );
      for (const outage of [1, 2]) {
        await upsd.rewrite('office', nearlyEmpty);
        await until(
          () => daemon.powerOffs(),
          (list) => list.length === outage,
        );
        await upsd.rewrite('office', onLine);
        await until(
          () => row(daemon),
          (seen) => seen?.status === 'OL' && !seen.triggerActive,
        );
      }
    } finally {
      await daemon.stop();
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
      await until(
        () => daemon.log(),
        (log) => /dry run: would power off this host with: \S+\/shutdown UPS battery critical/.test(log),
      );
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
      await until(
        () => first.powerOffs(),
        (list) => list.length === 1,
      );
      const before = await until(
        () => row(first),
        (seen) => (seen?.timeOnBattery ?? 0) >= 3,
      );
      first.signal('SIGKILL');
      await first.exited;
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
