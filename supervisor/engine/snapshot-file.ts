// The snapshot: policy's state in one small file on tmpfs, with the boot id of the kernel, for a restart in an outage. Writes
// are synchronous: the commit comes before the command, and a tmpfs does not hang.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorMessage } from '../../shared/domain/error-message.js';
import type { Logger } from '../../shared/runtime/log.js';

const bootIdFile = '/proc/sys/kernel/random/boot_id';
/** The snapshot of 1,000 UPSes in an outage with full histories is smaller; a larger file is not a snapshot. */
const maxBytes = 64 * 1024 * 1024;

/** The kernel's boot id; tests give another `file`. */
export function readBootId(file = process.env['RIDETHROUGH_BOOT_ID_FILE'] ?? bootIdFile): string {
  return readFileSync(file, 'utf8').trim();
}

/** Reads and writes the snapshot: `SnapshotFile`, or a simulated one. */
export interface SnapshotStore {
  /** The snapshot of this boot as untrusted data, or null. Its monotonic times are valid: same boot, same clock. */
  read(): unknown;
  /** False when the write failed. Never throws: without a snapshot only a restarted daemon loses state, no shutdown fails. */
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
      // A read of a FIFO would block.
      if (!about.isFile()) throw new Error('not a file');
      if (about.size > maxBytes) throw new Error('too large for a snapshot');
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
      const directory = dirname(this.#path);
      // The runtime directory may be missing. Its parent must stay open to the users of the workers.
      mkdirSync(dirname(directory), { recursive: true, mode: 0o755 });
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const next = `${this.#path}.next`;
      writeFileSync(next, JSON.stringify({ bootId: this.#bootId, policy }), { mode: 0o600 });
      renameSync(next, this.#path);
      this.#failed = false;
      return true;
    } catch (error) {
      if (!this.#failed) {
        this.#log.warning(
          `the outage snapshot ${this.#path} cannot be written (${errorMessage(error)}): ` +
            'shutdown works, but a daemon restarted in this outage would start its timers again; free space in the runtime directory',
        );
      }
      this.#failed = true;
      return false;
    }
  }

  #unusable(error: unknown): void {
    this.#log.warning(
      `the outage snapshot ${this.#path} cannot be used (${errorMessage(error)}): starting without it; a UPS that is on battery counts as a new outage`,
    );
  }
}

/** A crash loses at most one second of depletion history and never a decision. */
const minIntervalMs = 1_000;

/** Writes the snapshot when it is due, and immediately when a decision is committed. */
export class SnapshotWriter {
  readonly #file: SnapshotStore;
  readonly #capture: () => unknown;
  #due = false;
  #writtenAt = -Infinity;

  constructor(file: SnapshotStore, capture: () => unknown) {
    this.#file = file;
    this.#capture = capture;
  }

  saveSoon(): void {
    this.#due = true;
  }

  /** Writes without the minimum interval. */
  commit(nowMs: number): void {
    // After a failed write the snapshot stays due, so that it is written when the disk has space again.
    this.#due = !this.#file.write(this.#capture());
    this.#writtenAt = nowMs;
  }

  tick(nowMs: number): void {
    if (this.#due && nowMs - this.#writtenAt >= minIntervalMs) this.commit(nowMs);
  }
}
