// The folder of a run: everything that its tests write is in it, and every process of theirs has it in its environment.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Short: the path of a socket in it has at most 107 characters. */
const prefix = 'ridethrough-run-';
/** Waits for no disk. */
const memory = '/dev/shm';
const leastMb = 500;

/** Where the tests find them. */
export interface Folder {
  readonly path: string;
  readonly environment: Readonly<Record<'TMPDIR' | 'HOME' | 'RIDETHROUGH_MEMORY', string>>;
}

/** A sentence for the user where the disk is full. */
export function fullDisk(): string | null {
  const { bavail, bsize } = statfsSync(tmpdir());
  const mb = Math.floor((bavail * bsize) / 1e6);
  if (mb >= leastMb) return null;
  return `${tmpdir()} has ${String(mb)} MB free and the tests need ${String(leastMb)}: free some, or set TMPDIR to a folder with more`;
}

export function makeFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), prefix));
  writeFileSync(join(path, 'runner'), runnerOf(process.pid) ?? '');
  const shared = join(memory, path.slice(path.lastIndexOf('/') + 1));
  const home = join(path, 'home');
  for (const folder of [shared, home]) mkdirSync(folder);
  return { path, environment: { TMPDIR: path, HOME: home, RIDETHROUGH_MEMORY: shared } };
}

/** Ends what still runs in it, then removes it. */
export function removeFolder(path: string): void {
  for (const pid of processesOf(path)) end(pid);
  for (const folder of [path, join(memory, path.slice(path.lastIndexOf('/') + 1))])
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Folders whose runner was killed. */
export function abandonedFolders(): readonly string[] {
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(tmpdir(), name))
    .filter((path) => {
      const runner = read(join(path, 'runner'));
      return runner !== null && runnerOf(Number.parseInt(runner, 10)) !== runner;
    });
}

/** The process with its start time: a number is given to another process some day. Null where it has ended. */
function runnerOf(pid: number): string | null {
  const stat = read(`/proc/${String(pid)}/stat`);
  return stat === null
    ? null
    : `${String(pid)} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
}

/** But this one. Those of other users are not seen. */
function processesOf(path: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => read(`/proc/${String(pid)}/environ`)?.includes(`TMPDIR=${path}\0`));
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
