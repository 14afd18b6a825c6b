// Lays out the runtime directory (a tmpfs under systemd): the control socket's place and the supervisor's own.
import { chmodSync, chownSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from './accounts.js';
import { errorMessage } from '../../shared/domain/error-message.js';

export interface RuntimeDirectory {
  /** Where the API worker binds the control socket. */
  readonly controlSocket: string;
  /** The outage snapshot, in a directory that only the supervisor's user can enter. */
  readonly snapshot: string;
  /** That directory: the journals of sequences lie in it as well. */
  readonly journals: string;
  /** What is to be said when it could not be made as it should be; null when it was. */
  readonly trouble: string | null;
}

/** The group whose members may use the control socket; no worker is a member of it (contract 7). */
const adminGroup = 'ridethrough-admin';

/**
 * Makes what is missing and returns the paths. Started as root, `api/` belongs to the API worker's user and carries
 * the admin group with the setgid bit: a socket made in it gets that group although its maker is no member.
 * `control.sock` in the directory itself is a link to it, since that user may write nowhere else here.
 * Never throws: a daemon that cannot have its directory still watches and shuts down.
 */
export function prepareRuntimeDirectory(
  directory: string,
  apiUser: Account | undefined,
  groups: ReadonlyMap<string, number>,
): RuntimeDirectory {
  const api = join(directory, 'api');
  const own = join(directory, 'supervisor');
  const paths = {
    controlSocket: join(api, 'control.sock'),
    snapshot: join(own, 'outage.json'),
    journals: own,
  };
  try {
    // Whatever the umask: the API worker's user has to reach its part of it.
    if (mkdirSync(directory, { recursive: true }) !== undefined) chmodSync(directory, 0o755);
    mkdirSync(own, { recursive: true, mode: 0o700 });
    chmodSync(own, 0o700);
    mkdirSync(api, { recursive: true });
    const asRoot = process.getuid?.() === 0;
    const group = asRoot ? groups.get(adminGroup) : undefined;
    if (asRoot) chownSync(api, apiUser?.uid ?? 0, group ?? apiUser?.gid ?? 0);
    chmodSync(api, group === undefined ? 0o700 : 0o2750);
    linkSocket(join(directory, 'control.sock'));
    return { ...paths, trouble: null };
  } catch (error) {
    // EACCES without root, EROFS, ENOSPC and their like.
    return { ...paths, trouble: troubleWith(directory, error) };
  }
}

function troubleWith(directory: string, error: unknown): string {
  const cause = errorMessage(error);
  return (
    `the runtime directory ${directory} cannot be used (${cause}): UPSes are watched and shutdowns happen, but ` +
    'ridethrough status and the other commands cannot reach this daemon, and a restart of it in an outage forgets that outage. ' +
    'Start it as root, or set supervisor.runtime_directory to a directory that this user may write, and restart it'
  );
}

function linkSocket(link: string): void {
  const target = 'api/control.sock';
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() === true && readlinkSync(link) === target) return;
  if (there !== undefined) unlinkSync(link);
  symlinkSync(target, link);
}
