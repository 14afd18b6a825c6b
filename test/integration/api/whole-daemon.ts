// A real daemon with every feature of the API: three UPSes of a simulated NUT server, a redundancy group, control, a
// user, an API key, and secrets in every place that takes one.
import { join } from 'node:path';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { addApiKey, userPassword } from '../../fixtures/auth-database.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { harmless, startDaemon } from '../../fixtures/running-daemon.js';

/** Part of every secret of the configuration, so that one search finds any of them. */
export const planted = 'PLANTED';

export interface WholeDaemon {
  readonly daemon: RunningDaemon;
  readonly upsd: SimulatedUpsd;
  readonly port: number;
  readonly upsdPort: number;
  readonly key: string;
  readonly password: string;
  /** The text of the configuration, to be changed and written again. */
  readonly toml: string;
  stop(): Promise<void>;
}

/** What it sends elsewhere: two processes, which a test of the API alone saves. */
const services = `
[mqtt]
broker = "mqtts://${planted}-user:${planted}-word@broker.example"
[notifications]
urls = ["ntfys://${planted}-token@127.0.0.1:9/topic"]
`;

/** `more`: TOML at the end. */
export function startWholeDaemon(more = ''): Promise<WholeDaemon> {
  return start(services + more);
}

/** The same without MQTT and notifications, and with a user for hooks that every machine has. */
export function startApiDaemon(): Promise<WholeDaemon> {
  return start('[supervisor.worker_users]\nhook = "nobody"\n');
}

async function start(more: string): Promise<WholeDaemon> {
  const names = ['office', 'rack-a', 'rack-b'];
  const upsd = await startSimulatedUpsd({
    ups: names.map((name) => ({ name, noise: 0 as const })),
    users: [
      { name: 'ridethrough', password: `${planted} nut`, actions: ['SET'], instcmds: ['ALL'] },
      { name: 'other', password: `${planted} own`, actions: ['SET'], instcmds: ['ALL'] },
    ],
  });
  const toml = wholeToml(upsd.port) + more;
  const daemon = await startDaemon({ toml, user: 'alice' });
  const key = await addApiKey(join(daemon.directory, 'lib/auth.db'), 'backup');
  await daemon.seesAll();
  return {
    daemon,
    upsd,
    port: daemon.apiPort,
    upsdPort: upsd.port,
    key,
    password: userPassword,
    toml,
    stop: async () => {
      await daemon.stop();
      await upsd.stop();
    },
  };
}

function wholeToml(upsd: number): string {
  const at = `127.0.0.1:${String(upsd)}`;
  return `
[[ups]]
name = "office@${at}"
is_local = true
check_interval = 0.5
[[ups]]
name = "rack-a@${at}"
check_interval = 0.5
nut_control = { username = "other", password = "${planted} own", allowed_commands = ["beeper.enable"] }
[[ups]]
name = "rack-b@${at}"
check_interval = 0.5
[[redundancy_groups]]
name = "rack-1"
ups_sources = ["rack-a@${at}", "rack-b@${at}"]
[nut_control]
enabled = true
password = "${planted} nut"
allowed_commands = ["beeper.mute", "beeper.toggle", "shutdown.stop"]
allowed_variables = ["ups.delay.shutdown"]
[api]
enabled = true
port = 0
${harmless}flush_interval = 0.5
[api.auth]
db_path = "{directory}/lib/auth.db"
`;
}
