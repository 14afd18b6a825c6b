// Opens the authentication database for `user` and `apikey`, as its owner. Works with and without a running daemon.
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { readConfiguration } from '../../../supervisor/config/load/read.js';
import { readAccounts } from '../../../supervisor/host/accounts.js';
import {
  AuthAdministration,
  isStoreUnavailable,
} from '../../../workers/api/auth/auth-store/administration.js';
import { complain, exitCode, UsageError, withoutConfiguration } from '../usage.js';

export const authIsOff =
  'authentication is off: api.auth.enabled = false in the configuration. Remove that line and reload the daemon.';

export interface AuthCommand {
  /** `user create`, for messages. */
  readonly command: string;
  readonly configPath: string;
  /** Create a missing file; for commands that write. */
  readonly create?: true;
  /** Runs before the database is opened, for example the password prompt; false ends the command with 1. */
  readonly prepare?: () => Promise<boolean>;
  /** `database` is null without a file. Returns the exit code. */
  readonly run: (database: AuthAdministration | null, configuration: Configuration) => Promise<number>;
}

/** Throws a UsageError for another word. */
export function roleIn<R extends string>(roles: readonly R[], text: string): R {
  const role = roles.find((one) => one === text);
  if (role === undefined)
    throw new UsageError(`${JSON.stringify(text.slice(0, 40))} is not a role here: use ${roles.join(', ')}`);
  return role;
}

/** Does the work in the database of the configuration; returns the exit code. */
export async function inDatabase({
  command,
  configPath,
  create,
  prepare,
  run,
}: AuthCommand): Promise<number> {
  const loaded = await readConfiguration(configPath, { usersMatter: false });
  if (!loaded.ok) {
    const problems = loaded.problems.map(({ path, message }) =>
      path === '' ? message : `${path}: ${message}`,
    );
    return complain(command, problems.join('\n'), withoutConfiguration(loaded));
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
    return complain(command, `${error.message}.${adviceFor(supervisor.workerUsers.api)}`);
  }
}

/**
 * Changes from root to the API worker's user for the rest of the process. That user then owns every new file, and root follows
 * no symbolic link of that user.
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
