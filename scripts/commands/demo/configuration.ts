// The configuration of the demo: one simulated UPS, a dry run, on loopback, in its own directory. The demo starts the
// daemon only after the normal check has confirmed that the file is a dry run.
import { readConfiguration } from '../../../supervisor/config/load/read.js';

export interface DemoSettings {
  readonly directory: string;
  readonly upsdPort: number;
  readonly apiPort: number;
  /** Seconds of the UPS per second. */
  readonly speed: number;
}

export const demoUps = 'simulated';
/** on_battery_stabilization_delay in UPS time: shorter than the outages of the scenarios at any speed. */
const stabilizationUpsSeconds = 200;

/** All thresholds are the defaults, so that the demo behaves as an installation. */
export function demoConfiguration({ directory, upsdPort, apiPort, speed }: DemoSettings): string {
  return `# Written by "ridethrough demo" and removed at its end.
[[ups]]
name = "${demoUps}@127.0.0.1:${String(upsdPort)}"
display_name = "Simulated UPS"
is_local = true

[behavior]
dry_run = true

[triggers]
# The simulated UPS runs ${String(speed)} times as fast; the daemon runs in real time.
on_battery_stabilization_delay = ${String(Math.ceil(stabilizationUpsSeconds / speed))}

[local_shutdown]
# A dry run runs none of the three. These commands are harmless.
wall = true
command = ["printf", "this machine would be powered off now"]
restart_command = ["printf", "this machine would be restarted now"]
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

/** Undefined when the file is a valid dry run; otherwise the reason. */
export async function refusalOf(path: string): Promise<string | undefined> {
  const loaded = await readConfiguration(path);
  if (!loaded.ok) {
    const problems = loaded.problems.map((problem) => `${problem.path}: ${problem.message}`).join('\n  ');
    return `the configuration of the demo is not valid:\n  ${problems}`;
  }
  return loaded.configuration.dryRun
    ? undefined
    : `${path} was changed and is not a dry run any more; the demo starts only a dry run`;
}
