// The snapshot: policy's state in one small file on tmpfs, with the boot id of the kernel, for a restart in an outage.
import type { BootFileOptions } from '../host/boot-file.js';
import { BootFile } from '../host/boot-file.js';

/** Reads and writes the snapshot: `snapshotFile`, or a simulated one. */
export interface SnapshotStore {
  /** The snapshot of this boot as untrusted data, or null. */
  read(): unknown;
  /** False when the write failed. Never throws: without a snapshot only a restarted daemon loses state, no shutdown fails. */
  write(policy: unknown): boolean;
}

export function snapshotFile(place: Pick<BootFileOptions, 'path' | 'bootId' | 'log'>): SnapshotStore {
  return new BootFile({
    ...place,
    field: 'policy',
    // The snapshot of 1,000 UPSes in an outage with full histories is smaller.
    maxBytes: 64 * 1_048_576,
    words: {
      name: 'outage snapshot',
      unread: 'starting without it; a UPS that is on battery counts as a new outage',
      unwritten: 'shutdown works, but a daemon restarted in this outage would start its timers again',
    },
  });
}

/** What the reserve knows (standby.ts), in a file of its own: policy's may be what cannot be written. */
export function reserveFile(place: Pick<BootFileOptions, 'path' | 'bootId' | 'log'>): SnapshotStore {
  return new BootFile({
    ...place,
    field: 'reserve',
    maxBytes: 64 * 1_048_576,
    words: {
      name: 'memory of the reserve',
      unread: 'starting without it',
      unwritten:
        'shutdown works, but a daemon restarted in this outage would not know what its reserve had seen',
    },
  });
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
