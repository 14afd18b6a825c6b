// The daemon with the real engine of its namespace: through an outage until everything is stopped, then, once the engine has ended and
// begun again (between the files `stopped` and `booted`), on another boot until so many containers are settled. Prints what it logged of
// them, and the seconds of both.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { hasLength, until } from '../../fixtures/until.js';

const [folder = '', compose = '', count = ''] = process.argv.slice(2);
const upsd = await startSimulatedUpsd({ ups: [{ name: 'office', noise: 0 as const }] });
const toml = configurationFor({
  port: upsd.port,
  checkInterval: 0.2,
  more: `[ups.containers]
enabled = true
runtime = "${process.env['ENGINE'] ?? ''}"
stop_timeout = 30
compose_files = ["${compose}"]
[ups.triggers.extended_time]
threshold = 1
[recovery]
enabled = true
boot_timeout = 0
`,
});
const seconds = (sinceMs: number) => Math.round((performance.now() - sinceMs) / 100) / 10;

const before = await startDaemon({ toml });
await before.seesAll();
const cutMs = performance.now();
upsd.ups('office').set({ mainsVolts: 0 });
await before.logged('all phases have ended');
const stopSeconds = seconds(cutMs);
await before.kill();
const { directory } = before;
rmSync(join(directory, 'run'), { recursive: true });
writeFileSync(join(folder, 'stopped'), '');
upsd.ups('office').set({ mainsVolts: 230 });
// What still shows OB would begin the next outage.
await until(() => upsd.ups('office').value('ups.status')?.startsWith('OL') === true);
await until(() => existsSync(join(folder, 'booted')));

const bootId = join(directory, 'boot-id');
writeFileSync(bootId, 'another-boot\n');
const bootMs = performance.now();
const after = await startDaemon({ toml, directory, env: { RIDETHROUGH_BOOT_ID_FILE: bootId } });
const settled = await until(
  () =>
    after
      .log()
      .split('\n')
      .flatMap((line) => /the container .+/.exec(line) ?? []),
  hasLength(Number(count)),
  60_000,
).catch((error: unknown) => {
  throw new Error(`${before.log()}\n${after.log()}`, { cause: error });
});
const failed = before
  .log()
  .split('\n')
  .filter((line) => line.includes('SHUTDOWN_STEP_FAILED'));
process.stdout.write(`${JSON.stringify({ failed, settled, stopSeconds, startSeconds: seconds(bootMs) })}\n`);
await after.stop();
await upsd.stop();
