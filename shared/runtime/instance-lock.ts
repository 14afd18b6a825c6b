// One daemon to a directory: two would poll, command the same servers and write one journal (decision 0073).
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { commandPath } from './search-path.js';

/** `warning` is null when the directory is locked, and says why it could not be. */
export type InstanceLock =
  | { readonly held: true; readonly warning: string | null }
  | { readonly held: false };

/** `in use`: by another daemon. `failed`: nobody can know. */
export type DirectoryLock =
  | { readonly state: 'held' }
  | { readonly state: 'in use' }
  | { readonly state: 'failed'; readonly cause: string };

/** A daemon that is ending has a moment to do so. */
export const lockTries = 20;
const pauseMs = 100;
/** What flock exits with when somebody else holds the lock. */
const isLocked = 1;

/**
 * Locks `directory` for as long as this process lives. The descriptor is never closed and no child inherits it, so the
 * kernel unlocks when the process is gone, however it ended, and there is no file that could be stale.
 * Throws when the directory cannot be opened.
 */
export async function lockInstance(directory: string): Promise<InstanceLock> {
  const lock = await lockDirectory(openSync(directory, 'r'), lockTries);
  if (lock.state === 'in use') return { held: false };
  return { held: true, warning: lock.state === 'failed' ? warningFor(directory, lock.cause) : null };
}

/** Locks the directory of this descriptor until the descriptor is closed or the process is gone. Never throws. */
export async function lockDirectory(descriptor: number, tries: number): Promise<DirectoryLock> {
  for (let tried = 0; tried < tries; tried += 1) {
    if (tried > 0) await pause(pauseMs);
    const { status, error, stderr } = flock(descriptor);
    if (status === 0) return { state: 'held' };
    if (status !== isLocked) return { state: 'failed', cause: error?.message ?? stderr.trim() };
  }
  return { state: 'in use' };
}

/** Whether a daemon has locked `directory`; null where this user cannot know. */
export function isInstanceLocked(directory: string): boolean | null {
  let descriptor;
  try {
    descriptor = openSync(directory, 'r');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? false : null;
  }
  try {
    // A daemon that starts in this moment tries again.
    const { status } = flock(descriptor, '-s');
    return status === 0 ? false : status === isLocked ? true : null;
  } finally {
    closeSync(descriptor);
  }
}

function flock(descriptor: number, ...flags: string[]) {
  return spawnSync('flock', ['-n', ...flags, '3'], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
    encoding: 'utf8',
    timeout: 2_000,
    killSignal: 'SIGKILL',
    env: { PATH: commandPath(process.env['PATH']) },
  });
}

function warningFor(directory: string, cause: string): string {
  return (
    `${directory} cannot be locked (${cause}): nothing keeps a second daemon from watching the same UPSes and commanding ` +
    'the same servers. Install flock (util-linux), and start only one'
  );
}
