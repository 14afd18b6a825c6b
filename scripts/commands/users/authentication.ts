// The way of the commands `user` and `apikey` to the authentication database: where it is, as whom it is opened, and how
// what cannot be done is said. Works while the daemon runs and while it does not.
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { readConfiguration } from '../../../supervisor/config/read/read.js';
import { readAccounts } from '../../../supervisor/host/accounts.js';
import {
  AuthAdministration,
  isStoreUnavailable,
} from '../../../workers/api/auth/auth-store/administration.js';
import { printable } from '../terminal/printable.js';
import { exitCode } from '../usage.js';

/** For `complain`: what was made has no effect yet. */
export const authIsOff =
  'authentication is off: api.auth.enabled = false in the configuration. Remove that line and reload the daemon.';

export interface Work {
  /** `user create`, for messages. */
  readonly command: string;
  readonly configPath: string;
  /** Make the file when there is none; only where something is to be stored in it. */
  readonly create?: true;
  /** What has to be done before the database is opened, as asking for the password; false ends the command with 1. */
  readonly prepare?: () => Promise<boolean>;
  /** `database` is null when there is no file, which holds nobody. Answers the exit code. */
  readonly run: (database: AuthAdministration | null, configuration: Configuration) => Promise<number>;
}

/** Does the work in the database of the configuration; answers the exit code. */
export async function inDatabase({ command, configPath, create, prepare, run }: Work): Promise<number> {
  const loaded = await readConfiguration(configPath, { usersMatter: false });
  if (!loaded.ok) {
    const problems = loaded.problems.map(({ path, message }) =>
      path === '' ? message : `${path}: ${message}`,
    );
    complain(command, problems.join('\n'));
    return exitCode.configuration;
  }
  const { api, supervisor } = loaded.configuration;
  if (prepare !== undefined && !(await prepare())) return exitCode.failed;
  become(supervisor.workerUsers.api);
  try {
    const database = await AuthAdministration.open(api.auth.dbPath, { create: create ?? false });
    try {
      return await run(database, loaded.configuration);
    } finally {
      await database?.close();
    }
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    complain(command, `${error.message}.${adviceFor(supervisor.workerUsers.api)}`);
    return exitCode.failed;
  }
}

/**
 * Root goes on as the API worker's user, for good: whatever is made from here on is that user's from its first byte, and
 * root follows no link that this user may have laid.
 */
function become(user: string): void {
  if (process.getuid?.() !== 0) return;
  const account = readAccounts().get(user);
  if (account === undefined) return;
  process.setgroups?.([...account.groups]);
  process.setgid?.(account.gid);
  process.setuid?.(account.uid);
}

function adviceFor(user: string): string {
  const self = process.getuid?.() ?? 0;
  const account = readAccounts().get(user);
  return self === 0 || account?.uid === self ? '' : ' It belongs to the daemon: use sudo.';
}

/** To standard error, under the command's name. */
export function complain(command: string, message: string): void {
  process.stderr.write(printable(`ridethrough ${command}: ${message}\n`));
}
