// The processes of a supervisor, by procfs.
import { readFileSync, readdirSync } from 'node:fs';
import { isAlive } from '../../fixtures/processes.js';

/** All processes of a supervisor: its workers and their children. */
export function processesOf(supervisorPid: number): readonly number[] {
  const mark = `RIDETHROUGH_SUPERVISOR=${String(supervisorPid)}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(
      (pid) =>
        read(`/proc/${String(pid)}/environ`)
          ?.split('\0')
          .includes(mark) === true,
    )
    .filter(isAlive);
}

/** A field of /proc/PID/status, trimmed. */
export function statusOf(pid: number, field: string): string {
  const line = read(`/proc/${String(pid)}/status`)
    ?.split('\n')
    .find((text) => text.startsWith(`${field}:`));
  return (
    line
      ?.slice(field.length + 1)
      .trim()
      .replaceAll(/\s+/g, ' ') ?? ''
  );
}

export function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    // It has ended (ENOENT, ESRCH), or belongs to another user (EACCES).
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
