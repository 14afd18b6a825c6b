import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { EventRow, EventsBody } from '../../../shared/http/bodies.js';
import { Office } from '../../fixtures/office.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';

/** A server that does not exist. */
const unmount =
  '[ups.filesystems]\nsync_enabled = false\n[ups.filesystems.unmount]\nenabled = true\nmounts = ["/nowhere"]\n';

describe('the start after a reboot, with an empty tmpfs', () => {
  const office = new Office();

  /** `enabled`: whether the host powers itself off. */
  const tomlFor = (enabled: boolean): string =>
    configurationFor({ port: office.upsd.port, checkInterval: 0.2, more: unmount })
      .replace('[triggers]\n', '[triggers]\ncritical_runtime_threshold = 36000\n')
      .replace('[local_shutdown]\n', `[local_shutdown]\nenabled = ${String(enabled)}\n`);
  const happens = (of: RunningDaemon, type: RegExp): Promise<EventRow | undefined> =>
    until(
      async () => {
        const { events = [] } = (await of.control('events')) as Partial<EventsBody>;
        return events.findLast(({ eventType }) => type.test(eventType));
      },
      (row) => row !== undefined,
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
      const before = (office.daemon = await startDaemon({ toml }));
      const { directory } = before;
      office.upsd.ups('office').set({ mainsVolts: 0 });
      await happens(before, /^SHUTDOWN_SEQUENCE_COMPLETE$/);
      if (powerBack) {
        office.upsd.ups('office').set({ mainsVolts: 230 });
        await happens(before, /^POWER_RESTORED$/);
      }
      before.signal('SIGTERM');
      await before.exited;
      rmSync(join(directory, 'run'), { recursive: true });
      const bootId = join(directory, 'boot-id');
      writeFileSync(bootId, 'another-boot\n');
      const env = { RIDETHROUGH_BOOT_ID_FILE: bootId };
      const after = (office.daemon = await startDaemon({ toml, directory, env }));
      // The event before it is DAEMON_STOP.
      const row = await until(
        () => happens(after, /^DAEMON_/),
        (last) => last?.eventType !== 'DAEMON_STOP',
      );
      expect(row?.eventType).to.equal(type);
      expect(row?.detail.includes('filesystem_unmount//nowhere')).to.equal(type === 'DAEMON_RECOVERED');
    });
});
