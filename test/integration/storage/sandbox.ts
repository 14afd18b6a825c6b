// A file system in a private mount namespace: can be filled, frozen and mounted read-only.
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseName } from '../../../shared/protocol/storage.js';

const queryProgram = fileURLToPath(new URL('query-program.js', import.meta.url));

/** Why there is no sandbox here, or null. Skipped tests print it. */
export function sandboxRefusal(): string | null {
  const tried = spawnSync('unshare', ['-m', 'true'], { encoding: 'utf8' });
  if (tried.error !== undefined) return tried.error.message;
  return tried.status === 0 ? null : tried.stderr.trim();
}

/** The same for a file system in a file, which can be frozen. */
export function freezeRefusal(): string | null {
  const sandbox = new Sandbox();
  const script = `${freezable(sandbox.directory)} && fsfreeze -f ${sandbox.directory} && fsfreeze -u ${sandbox.directory}`;
  const tried = spawnSync('unshare', ['-m', 'sh', '-c', script], { encoding: 'utf8', timeout: 20_000 });
  sandbox.remove();
  if (tried.error !== undefined) return tried.error.message;
  return tried.status === 0 ? null : tried.stderr.trim();
}

/** Shell text that mounts an ext4 of 32 MB over a directory. */
export function freezable(directory: string): string {
  const image = `${directory}.ext4`;
  return `truncate -s 32M ${image} && mkfs.ext4 -q ${image} && mount -o loop ${image} ${directory} && rm ${image}`;
}

/** The same, without a journal, on a device that can lose most of its sectors. */
export function shrinkable(directory: string): string {
  const image = `${directory}.ext4`;
  return `truncate -s 32M ${image} && mkfs.ext4 -q -O ^has_journal ${image} && mount -o loop ${image} ${directory}`;
}

export class Sandbox {
  /** The path of the file system inside. */
  readonly directory = mkdtempSync(join(tmpdir(), 'ridethrough-sandbox-'));
  #pid = 0;

  /** Prefix that runs a program inside, on the file system that `mount` (shell text) mounts. */
  prefix(mount: string): readonly string[] {
    return ['unshare', '-m', 'sh', '-c', `${mount} && exec "$@"`, 'sh'];
  }

  tmpfs(options: string): readonly string[] {
    return this.prefix(`mount -t tmpfs -o ${options} tmpfs ${this.directory}`);
  }

  /** A process inside, through which the file system is accessible from outside. */
  enter(pid: number): void {
    this.#pid = pid;
  }

  /** A path inside, as seen from outside. */
  path(name: string): string {
    return `/proc/${String(this.#pid)}/root${join(this.directory, name)}`;
  }

  run(script: string): string {
    return execFileSync('nsenter', ['-t', String(this.#pid), '-m', 'sh', '-c', script], { encoding: 'utf8' });
  }

  /** The rows of one statement on the database inside. */
  rows<Row>(sql: string): readonly Row[] {
    const path = join(this.directory, databaseName);
    const program = [process.execPath, queryProgram, path, sql];
    const text = execFileSync('nsenter', ['-t', String(this.#pid), '-m', ...program], { encoding: 'utf8' });
    return JSON.parse(text) as Row[];
  }

  fill(): void {
    const file = openSync(this.path('filler'), 'w');
    const block = Buffer.alloc(4096, 1);
    try {
      for (;;) writeSync(file, block);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.path('filler'));
  }

  /** Of a `shrinkable` file system: beyond this size of its device each access fails (EIO). */
  resize(size: string): void {
    this.run(
      `truncate -s ${size} ${this.directory}.ext4 && losetup -c "$(findmnt -no SOURCE ${this.directory})"`,
    );
  }

  /** The namespace and its mounts end with its last process. */
  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
    rmSync(`${this.directory}.ext4`, { force: true });
  }
}
