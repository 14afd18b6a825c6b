// The folder of a run: everything that its tests write is in it, and by it their processes are found.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Short: the path of a socket in it has at most 107 characters. */
const prefix = 'ridethrough-run-';
/** Waits for no disk. */
const memory = '/dev/shm';
const leastMb = 500;
const leastFiles = 20_000;

/** Where the tests find them. */
export interface Folder {
  readonly path: string;
  readonly environment: Readonly<Record<'TMPDIR' | 'HOME' | 'RIDETHROUGH_MEMORY', string>>;
}

/** A sentence for the user where the disk is full. */
export function fullDisk(): string | null {
  const { bavail, bsize, files, ffree } = statfsSync(tmpdir());
  const mb = Math.floor((bavail * bsize) / 1e6);
  const advice = `free some, or set TMPDIR to a folder with more, and run it again`;
  if (mb < leastMb)
    return `${tmpdir()} has ${String(mb)} MB free and the tests need ${String(leastMb)}: ${advice}`;
  // Some file systems have no fixed number of files.
  if (files > 0 && ffree < leastFiles)
    return `${tmpdir()} has room for ${String(ffree)} more files: ${advice}`;
  return null;
}

export function makeFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), prefix));
  writeFileSync(join(path, 'runner'), runnerOf(process.pid) ?? '', { mode: 0o600 });
  // Tests start programs as other users, which have to get through to their own folders.
  chmodSync(path, 0o711);
  const home = join(path, 'home');
  const shared = existsSync(memory) ? inMemory(path) : join(path, 'memory');
  for (const folder of [home, shared]) mkdirSync(folder);
  return { path, environment: { TMPDIR: path, HOME: home, RIDETHROUGH_MEMORY: shared } };
}

function inMemory(path: string): string {
  return join(memory, basename(path));
}

/** Ends what still runs in it, then removes it. Leaves alone what is no folder of a run. */
export function removeFolder(path: string): void {
  if (!basename(path).startsWith(prefix)) return;
  for (const pid of processesOf(path)) end(pid);
  for (const folder of [path, inMemory(path)])
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

/** But this one: by their environment, or by their root. Those of other users are seen by root alone. */
function processesOf(path: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter(
      (pid) =>
        read(`/proc/${String(pid)}/environ`)
          ?.split('\0')
          .includes(`TMPDIR=${path}`) === true ||
        `${target(`/proc/${String(pid)}/root`)}/`.startsWith(`${path}/`),
    );
}

function target(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
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
