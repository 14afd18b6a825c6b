// The place of the outage snapshot and the journals: gone with the machine, and sometimes full.
import type { SnapshotStore } from '../../supervisor/engine/snapshot-file.js';
import { SimulatedJournals } from './journals.js';

export interface TmpfsWatcher {
  /** A snapshot has been kept. */
  snapshotWritten(): void;
  /** A record of a journal comes to be written; false: its writer has been killed before it. */
  recordWritten(): boolean;
  /** Whoever writes is dead already. */
  isWriterDead(): boolean;
}

export class Tmpfs implements SnapshotStore {
  readonly journals: SimulatedJournals;
  full = false;
  readonly #watcher: TmpfsWatcher;
  #content: unknown = null;

  constructor(watcher: TmpfsWatcher) {
    this.#watcher = watcher;
    this.journals = new SimulatedJournals((isAgain) => {
      if (watcher.isWriterDead()) return 'lost';
      // In vain once more: no moment of its own to be killed at.
      if (isAgain && this.full) return 'torn';
      if (!watcher.recordWritten()) return 'lost';
      return this.full ? 'torn' : 'kept';
    });
  }

  /** The state it was made of never changes, so that the way through JSON can wait until somebody reads it. */
  read(): unknown {
    return this.#content === null ? null : JSON.parse(JSON.stringify(this.#content));
  }

  write(policy: unknown): boolean {
    if (this.full || this.#watcher.isWriterDead()) return false;
    this.#content = policy;
    this.#watcher.snapshotWritten();
    return true;
  }

  /** The machine goes down; journals stay where they lie on a disk. */
  anotherBoot(journalsStay: boolean): void {
    this.#content = null;
    this.journals.anotherBoot(journalsStay);
  }
}
