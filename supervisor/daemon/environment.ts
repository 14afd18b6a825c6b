// What the daemon uses from outside: clocks and timers, commands and processes, directory, service manager. Types only.
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Reload } from '../api/ask-handlers.js';
import type { HookUser } from '../hooks/hooks.js';
import type { HostFacts } from '../host/host-facts.js';
import type { RuntimeDirectory } from '../host/runtime-directory.js';
import type { SetTimer } from '../host/timer.js';
import type { RunCommand } from '../host/run-command.js';
import type { LaunchProcess } from '../supervision/worker-instance.js';
import type { ServiceManager } from '../host/systemd.js';

export interface DaemonEnvironment {
  readonly clock: Clock;
  readonly directory: RuntimeDirectory;
  readonly bootId: string;
  readonly machineId: string;
  /** The path of the configuration file. */
  readonly configFile: string;
  readonly setTimer: SetTimer;
  readonly run: RunCommand;
  /** The user of hooks by its name. */
  readonly hookUser: (name: string) => HookUser;
  readonly launcher: (log: Logger) => LaunchProcess;
  readonly host: HostFacts;
  readonly manager: ServiceManager;
  readonly reload: Reload;
}
