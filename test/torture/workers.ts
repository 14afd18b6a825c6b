// The workers with a process of their own that faults and intruders hit. A new worker is one entry here; pollers share
// processes.
import { apiContract } from '../../shared/protocol/api.js';
import type { Contract } from '../../shared/protocol/contract.js';
import { heartbeatContract } from '../../shared/protocol/heartbeat.js';
import { logContract } from '../../shared/protocol/log.js';
import { mqttContract } from '../../shared/protocol/mqtt.js';
import { notifyContract } from '../../shared/protocol/notify.js';
import { proberContract } from '../../shared/protocol/prober.js';
import { recorderContract } from '../../shared/protocol/recorder.js';
import { remoteContract } from '../../shared/protocol/remote.js';
import { storageContract } from '../../shared/protocol/storage.js';
import type { Allowance } from './allowance.js';
import type { Ports } from './site.js';

/** The user of a process, and what an intruder in it can do: by test/integration/security/privileges.test.ts. */
export interface Privileges {
  readonly user: string;
  readonly may: readonly string[];
  /** What it keeps, as in /proc/PID/status; none by default. */
  readonly capabilities?: string;
}

interface OwnWorker extends Privileges {
  readonly contract: Contract;
  /** Of its table in docs/reliability.md. */
  readonly heading: string;
  readonly allowance?: Allowance;
  /** Its section of the configuration. */
  readonly toml?: (ports: Ports) => string;
}

/**
 * The supervisor ends a hung worker after 2 s; it is ready again within the third. The targets wait for the remote worker and
 * for a reading of the UPS of this host.
 */
export const recoveryMs = 3_000;

const logins = 'Remote worker and prober';
const services = 'MQTT and notifications';
const net = { user: 'ridethrough-net', may: [] } as const;
const ssh = {
  user: 'ridethrough-ssh',
  may: ['read known hosts', 'write known hosts', 'remove known hosts', 'make in lib'],
} as const;

/** All that root can do with files, and no process of another user; no memory of the supervisor either. */
const rootFiles = [
  ...['config.toml', 'id_ed25519', 'nut.secret', 'run/supervisor/outage.json', 'shadow'].map(
    (file) => `read ${file}`,
  ),
  ...['history', 'passwords', 'known hosts', 'log'].flatMap((what) => [
    `read ${what}`,
    `write ${what}`,
    `remove ${what}`,
  ]),
  'write the configuration',
  'remove the configuration',
  ...['log', 'lib', 'the runtime directory', 'api'].map((where) => `make in ${where}`),
  'make beside the configuration',
  'make a journal',
  'list journals',
  'remove the control socket',
  'connect control',
  'offer the supervisor to the OOM killer',
  "list the supervisor's descriptors",
  'signal the supervisor',
  'become root',
  'become another group',
] as const;

/** By name: the folder in workers/. In the order of the tables of docs/reliability.md. */
export const ownWorkers = {
  mqtt: {
    contract: mqttContract,
    ...net,
    heading: services,
    toml: ({ broker }) => `[mqtt]
enabled = true
broker = "mqtt://127.0.0.1:${String(broker)}"
publish_interval = 1
`,
  },
  notify: {
    contract: notifyContract,
    ...net,
    heading: services,
    toml: ({ notify }) => `[notifications]
urls = ["webhook+http://127.0.0.1:${String(notify)}/"]
timeout = 3
`,
  },
  heartbeat: {
    contract: heartbeatContract,
    ...net,
    heading: services,
    toml: ({ notify }) => `[heartbeat]
url = "http://127.0.0.1:${String(notify)}/"
every = 10
`,
  },
  remote: {
    contract: remoteContract,
    ...ssh,
    heading: logins,
    allowance: { again: true, lateMs: recoveryMs },
  },
  prober: { contract: proberContract, ...ssh, heading: logins },
  storage: {
    contract: storageContract,
    user: 'ridethrough-db',
    may: ['read history', 'write history', 'make in lib', 'remove history'],
    heading: 'The history',
  },
  recorder: {
    contract: recorderContract,
    user: 'root',
    may: rootFiles,
    // CAP_DAC_OVERRIDE.
    capabilities: '0000000000000002',
    heading: 'The history',
    toml: () => `[recovery]
enabled = true
`,
  },
  api: {
    contract: apiContract,
    user: 'ridethrough-api',
    may: [
      'read history',
      'read passwords',
      'write passwords',
      'remove passwords',
      'make in lib',
      'make in api',
      'connect control',
    ],
    heading: 'The API',
    allowance: { api: true },
    toml: ({ api }) => `[api]
enabled = true
port = ${String(api)}
[api.auth]
db_path = "{directory}/lib/auth.db"
`,
  },
  log: {
    contract: logContract,
    user: 'ridethrough-log',
    may: ['read log', 'write log', 'remove log', 'make in log'],
    heading: 'The log',
  },
} as const satisfies Readonly<Record<string, OwnWorker>>;

export type OwnProcess = keyof typeof ownWorkers;
export const ownProcesses = Object.keys(ownWorkers) as readonly OwnProcess[];

/** TOML for startDaemon. */
export function sectionsOf(ports: Ports): string {
  const workers: readonly OwnWorker[] = Object.values(ownWorkers);
  return workers.map(({ toml }) => toml?.(ports) ?? '').join('');
}

/** Of every worker, the pollers included. */
export const privileges: Readonly<Record<OwnProcess | 'poller', Privileges>> = { ...ownWorkers, poller: net };

/** Its program: the end of the command line of its process. */
export function entryOf(worker: OwnProcess | 'poller'): string {
  return `${worker}/worker.js`;
}
