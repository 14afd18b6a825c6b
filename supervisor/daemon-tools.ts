// What the daemon is given from outside: clock, directory, accounts, the service manager. Types only.
import type { ReloadReport } from '../shared/protocol/api.js';
import type { Clock } from '../shared/runtime/clock.js';
import type { HostView } from './host-view.js';
import type { RuntimeDirectory } from './runtime-directory.js';
import type { Accounts } from './supervision/accounts.js';
import type { ServiceManager } from './systemd.js';

export interface DaemonTools {
  readonly clock: Clock;
  readonly directory: RuntimeDirectory;
  readonly bootId: string;
  readonly accounts: Accounts;
  readonly host: HostView;
  readonly manager: ServiceManager;
  /** Reads the file again and applies it; one at a time. */
  readonly reload: (principal: string) => Promise<ReloadReport>;
}
