// The configuration of the demo: one simulated UPS, dry, on loopback, in a directory of its own. It is judged like any
// other, and the demo starts nothing that the judge does not call a dry run.
import { readConfiguration } from '../../../supervisor/config/read/read.js';

export interface DemoSettings {
  readonly directory: string;
  readonly upsdPort: number;
  readonly apiPort: number;
  /** Seconds of the UPS per second. */
  readonly speed: number;
}

/** The name of the simulated UPS. */
export const demoUps = 'simulated';
/** Seconds of the UPS to wait after a transfer to battery: shorter than the outage of the scenarios at any speed. */
const stabilizationUpsSeconds = 200;

/** Every threshold of a trigger is the default, so that the demo shows what an installation would do. */
export function demoConfiguration({ directory, upsdPort, apiPort, speed }: DemoSettings): string {
  return `# Written by "ridethrough demo"; gone when the demo ends.
[[ups]]
name = "${demoUps}@127.0.0.1:${String(upsdPort)}"
display_name = "Simulated UPS"
is_local = true

[behavior]
dry_run = true

[triggers]
# The time of the simulated UPS runs ${String(speed)} times as fast, that of the daemon does not.
on_battery_stabilization_delay = ${String(Math.ceil(stabilizationUpsSeconds / speed))}

[local_shutdown]
# A dry run runs neither of the two, and this command would do no harm.
wall = true
command = ["echo", "this machine would be powered off now"]
message = "the battery of the simulated UPS is low"

[api]
enabled = true
bind = "127.0.0.1"
port = ${String(apiPort)}

[api.auth]
db_path = "${directory}/auth.db"

[statistics]
db_directory = "${directory}/lib"

[supervisor]
runtime_directory = "${directory}/run"
`;
}

/** Undefined when the file is a configuration and a dry run; otherwise what is wrong with it. */
export async function refusalOf(path: string): Promise<string | undefined> {
  const loaded = await readConfiguration(path);
  if (!loaded.ok) {
    const problems = loaded.problems.map((problem) => `${problem.path}: ${problem.message}`).join('\n  ');
    return `the demo's own configuration is not valid:\n  ${problems}`;
  }
  return loaded.configuration.dryRun
    ? undefined
    : `${path} is not a dry run; somebody changed it, and the demo starts nothing but a dry run`;
}
