// The place of the outage snapshot and the journals: gone with the machine, and sometimes full.
import type { SnapshotStore } from '../../supervisor/snapshot.js';
import { SimulatedJournals } from './journals.js';

export class Tmpfs implements SnapshotStore {
  readonly journals = new SimulatedJournals(() => this.full);
  full = false;
  readonly #written: () => void;
  #content: unknown = null;

  /** `written` is told of every snapshot that has been kept. */
  constructor(written: () => void) {
    this.#written = written;
  }

  /** The state it was made of never changes, so that the way through JSON can wait until somebody reads it. */
  read(): unknown {
    return this.#content === null ? null : JSON.parse(JSON.stringify(this.#content));
  }

  write(policy: unknown): boolean {
    if (this.full) return false;
    this.#content = policy;
    this.#written();
    return true;
  }

  clear(): void {
    this.#content = null;
    this.journals.clear();
  }
}
