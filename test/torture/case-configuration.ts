// The configuration of the daemon of a case. Every command here only logs that it ran.
import type { LoginKeys } from '../fixtures/remote-server-toml.js';
import { remoteServerToml } from '../fixtures/remote-server-toml.js';
import type { Ports, Target, Ups } from './site.js';
import { targets } from './site.js';
import { sectionsOf } from './workers.js';

/** What a fault may need: a private disk, a settable clock. */
export type Need = 'disk' | 'clock';

/** Shorter than the default of 1 s, so that a case is short. */
const checkIntervalSeconds = 0.5;

export const deviceFiles = {
  onLine: 'ups.status: OL\nbattery.charge: 100\nbattery.runtime: 3600\nups.load: 23\n',
  onBattery: 'ups.status: OB DISCHRG\nbattery.charge: 80\nbattery.runtime: 2400\nups.load: 23\n',
  nearlyEmpty: 'ups.status: OB DISCHRG LB\nbattery.charge: 5\nbattery.runtime: 90\nups.load: 23\n',
} as const;
/** The status in `nearlyEmpty`. */
export const nearlyEmptyStatus = 'OB DISCHRG LB';

export type Login = Pick<LoginKeys, 'port' | 'user' | 'keyFile'>;

/** Seconds of the pre-shutdown command: the sequence is long enough for a fault to come into it. */
const workSeconds: Readonly<Record<Target, number>> = { alpha: 2, beta: 1, gamma: 1 };

const order: Readonly<Record<Target, number>> = { alpha: 1, beta: 2, gamma: 1 };

/** Seconds that a target may take. */
interface Budget {
  readonly connect: number;
  readonly work: number;
  readonly command: number;
  readonly margin: number;
}
/** A target that no fault hits may need a second connection, from a restarted worker. */
const steady: Budget = { connect: 5, work: 6, command: 5, margin: 8 };
/** So that the sequence soon abandons a hung target: 10 s in total. */
const hit: Budget = { connect: 4, work: 3, command: 2, margin: 1 };

/** What a case asks of its testbed. */
export interface Asked {
  readonly needs: ReadonlySet<Need>;
  /** The targets that a fault of the case hits. */
  readonly hits: readonly Target[];
  /** What the servers may take is multiplied by this: beside other tests they are slower. */
  readonly patience: number;
}

/** TOML for startDaemon; `{directory}` is the directory of the daemon. */
export function configurationOf(
  ports: Ports,
  logins: Readonly<Record<Target, Login>>,
  { hits, patience }: Asked,
): string {
  const ups = (name: Ups): string => `
[[ups]]
name = "${name}@127.0.0.1:${String(name === 'rack' ? ports.rack : ports.house)}"
is_local = ${String(name === 'office')}
value_hold = 0
check_interval = ${String(checkIntervalSeconds)}
`;
  const target = (name: Target): string => {
    const knownHosts = '{directory}/lib/known_hosts';
    const { connect, work, command, margin } = hits.includes(name) ? hit : steady;
    const seconds = (budget: number): string => String(hits.includes(name) ? budget : budget * patience);
    return `${remoteServerToml({ name, ...logins[name], knownHosts })}shutdown_command = "goes-down ${name}"
connect_timeout = ${seconds(connect)}
command_timeout = ${seconds(command)}
shutdown_safety_margin = ${seconds(margin)}
shutdown_order = ${String(order[name])}
[[ups.remote_servers.pre_shutdown_commands]]
command = "works ${name} ${String(workSeconds[name])}"
timeout = ${seconds(work)}
`;
  };
  // A sync of this machine's disks would measure the machine and not the daemon.
  return `${ups('office')}${targets.map(target).join('')}
[ups.filesystems]
sync_enabled = false
${ups('hall')}${ups('rack')}
[triggers]
on_battery_stabilization_delay = 0
[local_shutdown]
command = ["{directory}/power-off"]
restart_command = ["{directory}/power-off"]
[supervisor]
runtime_directory = "{directory}/run"
[statistics]
db_directory = "{directory}/lib"
flush_interval = 0.5
${sectionsOf(ports)}`;
}
