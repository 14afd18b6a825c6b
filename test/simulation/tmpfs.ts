// The tmpfs of the outage snapshot and the journals: lost when the machine goes down, and sometimes full.
import type { SnapshotStore } from '../../supervisor/engine/snapshot-file.js';
import { SimulatedJournals } from './journals.js';

export interface TmpfsWatcher {
  snapshotWritten(): void;
  /** Before a journal record is written; false: the writer is killed first. */
  recordWritten(): boolean;
  /** The writer is already dead. */
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

  /** The state is immutable, so its JSON is only made when it is read. */
  read(): unknown {
    return this.#content === null ? null : JSON.parse(JSON.stringify(this.#content));
  }

  write(policy: unknown): boolean {
    if (this.full || this.#watcher.isWriterDead()) return false;
    this.#content = policy;
    this.#watcher.snapshotWritten();
    return true;
  }

  /** The machine goes down; journals on a disk stay. */
  anotherBoot(journalsStay: boolean): void {
    this.#content = null;
    this.journals.anotherBoot(journalsStay);
  }
}
