// A whole shutdown in which servers hang: from the poll with FSD to the final command at the others, and to the power-off of this
// host. Real sshd, and servers that hang in different ways.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSimulatedUpsd } from '../../scripts/simulated-upsd/server.js';
import type { MisbehavingSshd } from '../fixtures/misbehaving-sshd.js';
import { startLogin, startRaw } from '../fixtures/misbehaving-sshd.js';
import { PrivateSshd } from '../fixtures/private-sshd.js';
import { remoteServerToml } from '../fixtures/remote-server-toml.js';
import { configurationFor } from '../fixtures/one-ups.js';
import { startDaemon } from '../fixtures/running-daemon.js';
import { until } from '../fixtures/until.js';
import type { Figure } from './table.js';

const command = fileURLToPath(new URL('../../scripts/ridethrough.js', import.meta.url));

const count = 20;
const commandGoalSeconds = 1.5;
const timeouts = 'connect_timeout = 5\ncommand_timeout = 5\n';

const hanging: readonly (() => Promise<MisbehavingSshd>)[] = [
  () => startRaw('silent'),
  () => startLogin('hangs after login'),
  () => startLogin('sleeps'),
  () => startLogin('floods'),
  () => startRaw('endless greeting'),
];

export async function shutdownWithHungTargets(): Promise<readonly Figure[]> {
  const addresses = Array.from({ length: count }, (_, index) => `127.0.0.${String(index + 1)}`);
  const sshd = await PrivateSshd.start({
    config: addresses
      .slice(hanging.length)
      .map((address) => `ListenAddress ${address}`)
      .join('\n'),
  });
  const hung = await Promise.all(hanging.map((start) => start()));
  let askedAtMs = NaN;
  const upsd = await startSimulatedUpsd({
    ups: [{ name: 'office', noise: 0 }],
    onQuery: ([word, kind]) => {
      if (word === 'LIST' && kind === 'VAR') askedAtMs = performance.timeOrigin + performance.now();
    },
  });
  const targets = addresses.map((address, index) => {
    const bad = hung[index];
    const place = bad === undefined ? { host: address } : { port: bad.port };
    return remoteServerToml({ name: `target-${String(index)}`, ...sshd.login, ...place }) + timeouts;
  });
  const toml = configurationFor({ port: upsd.port });
  const place = toml.indexOf('[triggers]');
  const daemon = await startDaemon({ toml: toml.slice(0, place) + targets.join('') + toml.slice(place) });
  try {
    await daemon.seesAll();
    const before = askedAtMs;
    upsd.ups('office').set({ fsd: true });
    await until(
      () => askedAtMs,
      (at) => at > before,
    );
    const triggerSeconds = askedAtMs / 1000;
    const [off] = await daemon.poweredOff();
    const planArguments = ['plan', '--json', '--config', join(daemon.directory, 'config.toml')];
    const planned = spawnSync(process.execPath, [command, ...planArguments], { encoding: 'utf8' }).stdout;
    const bound = /"boundSeconds": ?(?<seconds>[\d.]+)/.exec(planned)?.groups?.['seconds'];
    const delays = sshd.noted().flatMap((line) => {
      const at = /^(?<seconds>[\d.]+) shutdown /.exec(line)?.groups?.['seconds'];
      return at === undefined ? [] : [Number(at) - triggerSeconds];
    });
    return [
      {
        what: `${String(count)} servers of a running daemon, ${String(hung.length)} hung: command at the others`,
        value: `${String(delays.length)} commanded, last ${Math.max(...delays).toFixed(2)} s after the poll with FSD`,
        against: `goal: all within ${String(commandGoalSeconds)} s`,
      },
      {
        what: 'the power-off of this host',
        value: `${((off?.atMs ?? NaN) / 1000 - triggerSeconds).toFixed(1)} s after it`,
        against: `bound of the plan: ${bound ?? '?'} s`,
      },
    ];
  } finally {
    await daemon.stop();
    await upsd.stop();
    for (const server of hung) server.stop();
    await sshd.stop();
  }
}
