// Creates the runtime directory (a tmpfs under systemd), with a part for the control socket and one for the supervisor.
import { chmodSync, chownSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../shared/domain/base/error-message.js';
import type { Account } from './accounts.js';
import { lockInstance } from '../../shared/runtime/instance-lock.js';

export interface RuntimeDirectory {
  /** Where the API worker binds the control socket. */
  readonly controlSocket: string;
  /** The snapshot, in a directory that only the supervisor's user can enter. */
  readonly snapshot: string;
  /** The memory of the reserve; beside it. */
  readonly reserve: string;
  /** The directory of the journals; the same one. */
  readonly journals: string;
  /** The timers of hooks; beside it. */
  readonly hookTimers: string;
  /** The record of who was up; beside it. */
  readonly recovery: string;
  /** What drills have found; beside it. */
  readonly drills: string;
  /** Where `ridethrough shutdown` leaves what a person has shut down; beside it. */
  readonly requests: string;
  /** Logged when the directory could not be created or locked; null when it was. */
  readonly warning: string | null;
}

/** Why no daemon may start with it. */
export type DirectoryRefusal =
  /** Another daemon has it. */
  | { readonly refused: 'in use'; readonly directory: string }
  /** This user, not root, is not permitted to use it: a daemon of another user that has it would not be noticed. */
  | { readonly refused: 'not permitted'; readonly directory: string; readonly cause: string };

/** In supervisor.runtime_directory. A drill writes it. */
export const drillsIn = (directory: string): string => join(directory, 'supervisor', 'drills.json');

/** A manual shutdown writes there. */
export const requestsIn = (directory: string): string => join(directory, 'supervisor', 'requests');

/** The group whose members may use the control socket; no worker is a member (specification/api.md#local-socket). */
const adminGroup = 'ridethrough-admin';

/**
 * Creates what is missing, locks the directory for this process and returns the paths, or refuses before anything of
 * another daemon is touched. When started as root, `api/` belongs to the API worker's user and has the admin group with
 * the setgid bit: a socket in it gets that group although the worker is not a member.
 * `control.sock` in the directory itself is a link, because that user may write only in `api/`.
 * Never throws: with any other fault of the directory the daemon still polls and shuts down.
 */
export async function prepareRuntimeDirectory(
  directory: string,
  apiUser: Account | undefined,
  groups: ReadonlyMap<string, number>,
): Promise<RuntimeDirectory | DirectoryRefusal> {
  const asRoot = process.getuid?.() === 0;
  const api = join(directory, 'api');
  const own = join(directory, 'supervisor');
  const paths = {
    controlSocket: join(api, 'control.sock'),
    snapshot: join(own, 'outage.json'),
    reserve: join(own, 'reserve.json'),
    journals: own,
    hookTimers: join(own, 'hooks.json'),
    recovery: join(own, 'recovery.json'),
    drills: drillsIn(directory),
    requests: requestsIn(directory),
  };
  let isLocked = false;
  try {
    // Independent of the umask: the API worker's user must reach its part.
    if (mkdirSync(directory, { recursive: true }) !== undefined) chmodSync(directory, 0o755);
    mkdirSync(own, { recursive: true, mode: 0o700 });
    chmodSync(own, 0o700);
    const lock = await lockInstance(own);
    if (!lock.held) return { refused: 'in use', directory };
    isLocked = true;
    mkdirSync(api, { recursive: true });
    const group = asRoot ? groups.get(adminGroup) : undefined;
    if (asRoot) chownSync(api, apiUser?.uid ?? 0, group ?? apiUser?.gid ?? 0);
    chmodSync(api, group === undefined ? 0o700 : 0o2750);
    linkSocket(join(directory, 'control.sock'));
    return { ...paths, warning: lock.warning };
  } catch (error) {
    // Once it is locked, another daemon would be noticed.
    if (!asRoot && !isLocked && isForbidden(error))
      return { refused: 'not permitted', directory, cause: errorMessage(error) };
    // EROFS, ENOSPC, ENOTDIR and similar.
    return { ...paths, warning: warningFor(directory, error) };
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
}

function warningFor(directory: string, error: unknown): string {
  const cause = errorMessage(error);
  return (
    `the runtime directory ${directory} cannot be used (${cause}): UPSes are watched and shutdowns happen, but ` +
    'ridethrough status and the other commands cannot reach this daemon, and a restart of it in an outage forgets that outage. ' +
    'Set supervisor.runtime_directory to another directory, and restart it'
  );
}

function linkSocket(link: string): void {
  const target = 'api/control.sock';
  const existing = lstatSync(link, { throwIfNoEntry: false });
  if (existing?.isSymbolicLink() === true && readlinkSync(link) === target) return;
  if (existing !== undefined) unlinkSync(link);
  symlinkSync(target, link);
}
