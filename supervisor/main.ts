// `ridethrough run`: reads the configuration, starts the daemon, turns signals into inputs, and ends when it has ended.
import { systemClock } from '../shared/runtime/clock.js';

import type { Loaded } from './config/configuration.js';
import type { ApiFlags } from './config/read/flags.js';
import { withFlags } from './config/read/flags.js';
import { readConfiguration } from './config/read/read.js';
import { Daemon } from './daemon/daemon.js';
import { Guard } from './guard/guard.js';
import { detectHost } from './host/host-facts.js';
import { every, setTimer } from './host/timer.js';
import { Reloading } from './daemon/reload.js';
import { prepareRuntimeDirectory } from './host/runtime-directory.js';
import { runCommand } from './host/run-command.js';
import { readBootId } from './engine/snapshot-file.js';
import { readAccounts, readGroups } from './host/accounts.js';
import { processLauncher } from './supervision/spawn.js';
import { serviceManager } from './host/systemd.js';

export interface RunOptions {
  readonly configPath: string;
  readonly api: ApiFlags;
}

export type Started =
  { readonly ok: true; readonly ended: Promise<void> } | { readonly ok: false; readonly problems: Problems };
type Problems = Extract<Loaded, { ok: false }>['problems'];

/** The file and its secrets are read by a child: the supervisor never touches a file that may hang. */
const readDeadlineMs = 10_000;

/**
 * Starts the daemon. With an invalid configuration nothing is started and the problems are returned: there are no
 * defaults with a power-off armed. `ended` settles after SIGTERM or SIGINT, when every worker is gone.
 */
export async function run({ configPath, api }: RunOptions): Promise<Started> {
  const manager = serviceManager(process.env, systemClock);
  // Until there is a daemon to tell: a log rotation at the start must not end it.
  let reload = (): void => undefined;
  process.on('SIGHUP', () => reload());
  // Without a listener of ours Node opens its debugger on this signal: a port through which any user could act as root.
  process.on('SIGUSR1', () => undefined);
  const read = async (): Promise<Loaded> => {
    const loaded = await readConfiguration(configPath, { timeoutMs: readDeadlineMs });
    return loaded.ok ? { ...loaded, configuration: withFlags(loaded.configuration, api) } : loaded;
  };
  const loaded = await read();
  if (!loaded.ok) return { ok: false, problems: loaded.problems };
  const { supervisor } = loaded.configuration;
  const accounts = readAccounts();
  const apiUser = accounts.get(supervisor.workerUsers.api);
  const directory = prepareRuntimeDirectory(supervisor.runtimeDirectory, apiUser, readGroups());
  const reloading = new Reloading(read, () => daemon, manager);
  const daemon: Daemon = new Daemon(loaded.configuration, {
    clock: systemClock,
    directory,
    setTimer,
    every,
    run: runCommand,
    launcher: (log) => processLauncher({ log, accounts, asRoot: process.getuid?.() === 0 }),
    host: detectHost(accounts),
    bootId: readBootId(),
    manager,
    reload: (principal, record) => reloading.reload(principal, record),
  });
  // A bug beside the path from a reading to a command (a worker's link, publishing, reloading) is logged, and must not end
  // that path. Should it stop the decisions themselves, the watchdog is not fed any more.
  const guard = new Guard(daemon.log);
  process.on('unhandledRejection', (reason) => guard.caught('a promise', reason));
  process.on('uncaughtException', (error) => guard.caught('an event', error));
  process.on('SIGTERM', () => daemon.terminate('SIGTERM'));
  process.on('SIGINT', () => daemon.terminate('SIGINT'));
  reload = () => void reloading.reload('signal');
  process.on('SIGUSR2', () => explainToLog(daemon));
  return { ok: true, ended: daemon.ended };
}

/** SIGUSR2: the account of every UPS and group goes to the log. */
function explainToLog({ configuration, decisions, log }: Daemon): void {
  const { ups, redundancyGroups } = configuration;
  for (const group of [...ups, ...redundancyGroups].map(({ policy }) => policy.groupId))
    for (const line of decisions.explain(group).text.split('\n'))
      log.info(line, { category: 'explain', group });
}
