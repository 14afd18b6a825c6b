// `ridethrough run`: reads the configuration, starts the daemon, maps signals to calls, and ends with the daemon.
// It never starts a daemon without a valid configuration.
import { resolve } from 'node:path';
import { systemClock } from '../shared/runtime/clock.js';
import { setV8Flags } from '../shared/runtime/v8-flags.js';

import type { Loaded, NotLoaded } from './config/configuration/configuration.js';
import type { ApiFlags } from './config/load/flags.js';
import { withFlags } from './config/load/flags.js';
import { readConfiguration } from './config/load/read.js';
import { Daemon } from './daemon/daemon.js';
import { Guard } from './guard/guard.js';
import { detectHost } from './host/host-facts.js';
import { setTimer } from './host/timer.js';
import { Reloader } from './daemon/reload.js';
import type { DirectoryRefusal } from './host/runtime-directory.js';
import { prepareRuntimeDirectory } from './host/runtime-directory.js';
import { runCommand } from './host/run-command.js';
import { readBootId, readMachineId } from './host/boot-file.js';
import { readAccounts, readGroups } from './host/accounts.js';
import { processLauncher } from './supervision/spawn.js';
import { serviceManager } from './host/systemd.js';

export interface RunOptions {
  readonly configPath: string;
  readonly api: ApiFlags;
}

export type Started =
  | { readonly ok: true; readonly ended: Promise<void> }
  | { readonly ok: false; readonly invalid: NotLoaded }
  | { readonly ok: false; readonly refusal: DirectoryRefusal };

/**
 * Starts the daemon, or returns the problems of the configuration: defaults with a power-off armed would be dangerous.
 * Starts none beside another one on the same runtime directory either, nor where it is not permitted to look for one.
 * `ended` settles after SIGTERM or SIGINT, when every worker has ended.
 */
export async function run({ configPath, api }: RunOptions): Promise<Started> {
  setV8Flags();
  const manager = serviceManager(process.env, systemClock);
  // Before the daemon exists, a SIGHUP of a log rotation must not end the process.
  let reload = (): void => undefined;
  process.on('SIGHUP', () => reload());
  // Without a listener Node opens its debugger on this signal, and any user could then act as root through its port.
  process.on('SIGUSR1', () => undefined);
  const read = async (): Promise<Loaded> => {
    const loaded = await readConfiguration(configPath);
    return loaded.ok ? { ...loaded, configuration: withFlags(loaded.configuration, api) } : loaded;
  };
  const loaded = await read();
  if (!loaded.ok) return { ok: false, invalid: loaded };
  const { supervisor } = loaded.configuration;
  const accounts = readAccounts();
  const asRoot = process.getuid?.() === 0;
  const apiUser = accounts.get(supervisor.workerUsers.api);
  const directory = await prepareRuntimeDirectory(supervisor.runtimeDirectory, apiUser, readGroups());
  if ('refused' in directory) return { ok: false, refusal: directory };
  const reloading = new Reloader(read, () => daemon, manager);
  const daemon: Daemon = new Daemon(loaded.configuration, {
    clock: systemClock,
    directory,
    setTimer,
    run: runCommand,
    launcher: (log) => processLauncher({ log, accounts, asRoot }),
    hookUser: (name) => (asRoot ? (accounts.get(name) ?? 'missing') : null),
    host: detectHost(accounts),
    bootId: readBootId(),
    machineId: readMachineId(),
    configFile: resolve(configPath),
    manager,
    reload: (principal, record) => reloading.reload(principal, record),
  });
  // A bug outside the path from a reading to a command (a worker's link, publishing, reloading) is logged and must not end
  // that path. If the path itself stops, no keep-alive is sent.
  const guard = new Guard(daemon.log);
  process.on('unhandledRejection', (reason) => guard.logBug('a promise', reason));
  process.on('uncaughtException', (error) => guard.logBug('an event', error));
  process.on('SIGTERM', () => daemon.terminate('SIGTERM'));
  process.on('SIGINT', () => daemon.terminate('SIGINT'));
  reload = () => void reloading.reload('signal');
  process.on('SIGUSR2', () => explainToLog(daemon));
  return { ok: true, ended: daemon.ended };
}

/** SIGUSR2: writes the explanation of every UPS and group to the log. */
function explainToLog({ configuration, engine, log }: Daemon): void {
  const { ups, redundancyGroups } = configuration;
  for (const group of [...ups, ...redundancyGroups].map(({ policy }) => policy.groupId))
    for (const line of engine.explain(group).text.split('\n')) log.info(line, { category: 'explain', group });
}
