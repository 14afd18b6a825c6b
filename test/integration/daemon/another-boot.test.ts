import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import type { EventRow, EventsBody } from '../../../shared/http/bodies.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';

/** Patience with a busy machine. */
const actsWithinMs = 30_000;
/** A server that does not exist. */
const unmount =
  '[ups.filesystems]\nsync_enabled = false\n[ups.filesystems.unmount]\nenabled = true\nmounts = ["/nowhere"]\n';

describe('the start after a reboot, with an empty tmpfs', function () {
  this.timeout(120_000);
  let upsd: SimulatedUpsd;
  let daemon: RunningDaemon | undefined;
  beforeEach(async () => {
    upsd = await startSimulatedUpsd({ ups: [{ name: 'office', noise: 0 as const }] });
  });
  afterEach(async () => {
    await daemon?.stop();
    await upsd.stop();
  });

  /** `enabled`: whether the host powers itself off. */
  const tomlFor = (enabled: boolean): string =>
    configurationFor({ port: upsd.port, checkInterval: 0.2, more: unmount })
      .replace('[triggers]\n', '[triggers]\ncritical_runtime_threshold = 36000\n')
      .replace('[local_shutdown]\n', `[local_shutdown]\nenabled = ${String(enabled)}\n`);
  const happens = (of: RunningDaemon, type: RegExp): Promise<EventRow | undefined> =>
    until(
      async () => {
        const { events = [] } = (await of.control('events')) as Partial<EventsBody>;
        return events.findLast(({ eventType }) => type.test(eventType));
      },
      (row) => row !== undefined,
      actsWithinMs,
    );

  for (const [story, enabled, powerBack, type] of [
    [
      'tells of the shutdown that took the machine down, though power came back meanwhile',
      true,
      true,
      'DAEMON_RECOVERED',
    ],
    ['tells of the shutdown of an outage that the machine did not survive', false, false, 'DAEMON_RECOVERED'],
    ['is like any other once the machine has survived the outage', false, true, 'DAEMON_START'],
  ] as const)
    it(story, async () => {
      const toml = tomlFor(enabled);
      daemon = await startDaemon({ toml });
      const { directory } = daemon;
      upsd.ups('office').set({ mainsVolts: 0 });
      await happens(daemon, /^SHUTDOWN_SEQUENCE_COMPLETE$/);
      if (powerBack) {
        upsd.ups('office').set({ mainsVolts: 230 });
        await happens(daemon, /^POWER_RESTORED$/);
      }
      daemon.signal('SIGTERM');
      await daemon.exited;
      rmSync(join(directory, 'run'), { recursive: true });
      const bootId = join(directory, 'boot-id');
      writeFileSync(bootId, 'another-boot\n');
      daemon = await startDaemon({ toml, directory, env: { RIDETHROUGH_BOOT_ID_FILE: bootId } });
      // The event before it is DAEMON_STOP.
      const row = await until(
        () => happens(daemon as RunningDaemon, /^DAEMON_/),
        (last) => last?.eventType !== 'DAEMON_STOP',
        actsWithinMs,
      );
      expect(row?.eventType).to.equal(type);
      expect(row?.detail.includes('filesystem_unmount//nowhere')).to.equal(type === 'DAEMON_RECOVERED');
    });
});
