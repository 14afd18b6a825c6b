// The site of the pictures: an office, a rack with two feeds, a laboratory, and a history.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Site, SiteOptions } from '../fixtures/dry-run-daemon.js';
import { startSite } from '../fixtures/dry-run-daemon.js';
import { writeBatteryHistory } from '../fixtures/battery-history.js';
import { writeHistory } from './history.js';

// With a key: without one the banner of a daemon that is not ready is in every picture.
const key = 'ssh_key_path = "{directory}/id_ed25519"';
const office = `
[[ups.remote_servers]]
name = "nas-1"
host = "127.0.0.7"
user = "root"
${key}
command_timeout = 10
connect_timeout = 5
shutdown_safety_margin = 15
[[ups.remote_servers.pre_shutdown_commands]]
action = "stop_compose"
path = "/srv/office"
timeout = 40
`;
const rack = `
[[redundancy_groups.remote_servers]]
name = "hypervisor-1"
host = "127.0.0.8"
user = "root"
${key}
[[redundancy_groups.remote_servers]]
name = "storage-1"
host = "127.0.0.9"
user = "root"
${key}
shutdown_order = 2
`;
const options: SiteOptions = {
  speed: 6,
  stabilizationDelay: 5,
  ups: [
    { name: 'office', label: 'Office', local: true, more: office },
    { name: 'rack-a', label: 'Rack, feed A' },
    { name: 'rack-b', label: 'Rack, feed B' },
    { name: 'lab', label: 'Laboratory' },
  ],
  group: ['rack-a', 'rack-b'],
  groupToml: rack,
  toml: `
[nut_control]
enabled = true
username = "admin"
password = "simulated"
allowed_commands = ["test.battery.start.quick", "test.battery.stop", "beeper.mute", "beeper.toggle"]
allowed_variables = ["battery.charge.low", "ups.delay.shutdown", "input.sensitivity"]
[remote_health]
enabled = false
[self_test]
enabled = true
[energy]
cost_per_kwh = 0.31
`,
};

/** The daemon creates the database, which is filled before the daemon restarts. */
export async function startPicturedSite(): Promise<Site> {
  const directory = mkdtempSync(join(tmpdir(), 'ridethrough-pictures-'));
  const site = await startSite({ ...options, toml: '[remote_health]\nenabled = false\n', directory });
  await site.createUser('alice');
  site.daemon.signal('SIGTERM');
  await site.daemon.exited;
  const groups = options.ups.map(({ name }) => `${name}-127.0.0.1-${String(site.upsd.port)}`);
  const [office = ''] = groups;
  await writeHistory(join(directory, 'lib'), groups, Math.floor(Date.now() / 1000));
  await writeBatteryHistory(join(directory, 'lib'), office);
  return startSite({ ...options, directory, upsd: site.upsd });
}
