// Keeps what must survive a restart during an outage in one small file on tmpfs, with the boot id of the kernel.
// Synchronous on purpose: the commit precedes the act, and a tmpfs cannot hang.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from '../../shared/runtime/log.js';
import { errorMessage } from '../../shared/domain/error-message.js';

const bootIdFile = '/proc/sys/kernel/random/boot_id';
/** 1,000 UPSes in an outage with full histories stay below this; a larger file is not ours. */
const largestBytes = 64 * 1024 * 1024;

/** The kernel's boot id; `file` is another source of it in tests. */
export function readBootId(file = process.env['RIDETHROUGH_BOOT_ID_FILE'] ?? bootIdFile): string {
  return readFileSync(file, 'utf8').trim();
}

/** Where the snapshot lies: `SnapshotFile`, or a simulated one. */
export interface SnapshotStore {
  /** The snapshot written on this boot, as untrusted data, or null. Monotonic times in it are valid: same boot, same clock. */
  read(): unknown;
  /** False when it could not be written. Never throws: that costs memory of the outage after a crash, not the shutdown. */
  write(policy: unknown): boolean;
}

export class SnapshotFile implements SnapshotStore {
  readonly #path: string;
  readonly #bootId: string;
  readonly #log: Logger;
  #failed = false;

  constructor(path: string, bootId: string, log: Logger) {
    this.#path = path;
    this.#bootId = bootId;
    this.#log = log;
  }

  read(): unknown {
    let content: unknown;
    try {
      const about = statSync(this.#path);
      // Reading a FIFO would wait for ever.
      if (!about.isFile()) throw new Error('not a file');
      if (about.size > largestBytes) throw new Error('larger than any snapshot of ours');
      content = JSON.parse(readFileSync(this.#path, 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#unusable(error);
      return null;
    }
    if (typeof content !== 'object' || content === null || !('bootId' in content) || !('policy' in content)) {
      this.#unusable(new Error('not a snapshot'));
      return null;
    }
    if (content.bootId === this.#bootId) return content.policy;
    this.#log.info(`${this.#path} is from before this boot: that outage is over, the snapshot is not used`);
    return null;
  }

  write(policy: unknown): boolean {
    try {
      const own = dirname(this.#path);
      // Should somebody have cleared the runtime directory: above our own part of it others have to pass.
      mkdirSync(dirname(own), { recursive: true, mode: 0o755 });
      mkdirSync(own, { recursive: true, mode: 0o700 });
      const next = `${this.#path}.next`;
      writeFileSync(next, JSON.stringify({ bootId: this.#bootId, policy }), { mode: 0o600 });
      renameSync(next, this.#path);
      this.#failed = false;
      return true;
    } catch (error) {
      if (!this.#failed) {
        this.#log.warning(
          `the outage snapshot ${this.#path} cannot be written (${errorMessage(error)}): ` +
            'shutdown works, but a restart of the daemon in this outage would forget its clocks; free space in the runtime directory',
        );
      }
      this.#failed = true;
      return false;
    }
  }

  #unusable(error: unknown): void {
    this.#log.warning(
      `the outage snapshot ${this.#path} cannot be used (${errorMessage(error)}): starting without it; a UPS found on battery counts as a fresh outage`,
    );
  }
}

/** Once a second is enough: what is lost at most is one second of depletion history, never a decision. */
const shortestPauseMs = 1_000;

/** Writes the snapshot when it is due, and at once when a decision must be committed before it is acted on. */
export class SnapshotKeeper {
  readonly #file: SnapshotStore;
  readonly #take: () => unknown;
  #due = false;
  #writtenAt = -Infinity;

  constructor(file: SnapshotStore, take: () => unknown) {
    this.#file = file;
    this.#take = take;
  }

  saveSoon(): void {
    this.#due = true;
  }

  /** Writes now, whatever the pause. */
  commit(nowMs: number): void {
    // What could not be written stays due: a disk that has room again gets it without waiting for the next change.
    this.#due = !this.#file.write(this.#take());
    this.#writtenAt = nowMs;
  }

  tick(nowMs: number): void {
    if (this.#due && nowMs - this.#writtenAt >= shortestPauseMs) this.commit(nowMs);
  }
}
