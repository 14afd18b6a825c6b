// A small private disk under the daemon's state directory that can be filled, frozen and made read-only. The case has its
// own mount namespace: outside of it nothing is mounted.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { freezable } from '../integration/storage/sandbox.js';

export class Disk {
  readonly #directory: string;

  /** Mounts the disk over `directory`, which keeps its owner and mode. */
  constructor(directory: string) {
    this.#directory = directory;
    const { uid, gid, mode } = statSync(directory);
    execFileSync('sh', ['-c', freezable(directory)], { stdio: ['ignore', 'ignore', 'pipe'] });
    chownSync(directory, uid, gid);
    chmodSync(directory, mode & 0o7777);
  }

  /** Lazy unmount: the disk goes with the last process that has a file open on it. */
  leave(): void {
    execFileSync('umount', ['-l', this.#directory]);
  }

  /** Takes all the space, including the blocks reserved for root. */
  fill(): void {
    const file = openSync(this.#filler, 'w');
    const block = Buffer.alloc(65_536, 1);
    try {
      for (let blocks = 0; blocks < 1_000; blocks += 1) writeSync(file, block);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }

  /** From now on every process that writes blocks and cannot be killed. */
  freeze(): void {
    execFileSync('fsfreeze', ['-f', this.#directory]);
  }

  thaw(): void {
    execFileSync('fsfreeze', ['-u', this.#directory]);
  }

  /** False when a file on it is open for writing. */
  makeReadOnly(): boolean {
    return this.#remount('ro');
  }

  makeWritable(): void {
    this.#remount('rw');
  }

  get #filler(): string {
    return join(this.#directory, 'filler');
  }

  #remount(how: 'ro' | 'rw'): boolean {
    try {
      execFileSync('mount', ['-o', `remount,${how}`, this.#directory], { stdio: 'ignore' });
      return true;
    } catch {
      // mount(8) says 32, "mount point is busy", and nothing has changed.
      return false;
    }
  }
}
