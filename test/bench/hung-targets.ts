// A whole shutdown in which servers hang: from the poll with FSD to the final command at the others, and to the power-off of this
// host. Real sshd, and servers that hang in different ways.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrivateSshd } from '../fixtures/private-sshd.js';
import { remoteServerToml } from '../fixtures/remote-server-toml.js';
import { configurationFor } from '../fixtures/one-ups.js';
import { startDaemon } from '../fixtures/running-daemon.js';
import { hanging } from './remote.js';
import type { Figure } from './table.js';
import { startTimedUpsd } from './timed-upsd.js';

const command = fileURLToPath(new URL('../../scripts/ridethrough.js', import.meta.url));

const count = 20;
const commandGoalSeconds = 1.5;
const timeouts = 'connect_timeout = 5\ncommand_timeout = 5\n';

export async function shutdownWithHungTargets(): Promise<readonly Figure[]> {
  const addresses = Array.from({ length: count }, (_, index) => `127.0.0.${String(index + 1)}`);
  const sshd = await PrivateSshd.start({
    config: addresses
      .slice(hanging.length)
      .map((address) => `ListenAddress ${address}`)
      .join('\n'),
  });
  const hung = await Promise.all(hanging.map((start) => start()));
  const upsd = await startTimedUpsd();
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
    const triggerSeconds = (await upsd.forceShutdown()) / 1000;
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
