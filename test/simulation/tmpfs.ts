// The tmpfs of the outage snapshot and the journals: lost when the machine goes down, sometimes full, and sometimes missing
// something that it had.
import type { SnapshotStore } from '../../supervisor/engine/snapshot-file.js';
import { SimulatedJournals } from './journals.js';
import type { RestartRecord } from './restart/record.js';
import type { Loss } from './scenario.js';
import { Versions } from './versions.js';

export interface TmpfsWatcher {
  snapshotWritten(): void;
  /** Before a journal record is written; false: the writer is killed first. */
  recordWritten(): boolean;
  /** The writer is already dead. */
  isWriterDead(): boolean;
  monotonicMs(): number;
}

export class Tmpfs implements SnapshotStore {
  readonly journals: SimulatedJournals;
  full = false;
  /** Of restarts of the host; null: recovery is off. */
  readonly record: RestartRecord | null;
  readonly #watcher: TmpfsWatcher;
  readonly #snapshots: Versions<unknown>;
  readonly #reserves: Versions<unknown>;
  /** Lost with the snapshot, and as old as it. */
  readonly reserve: SnapshotStore = {
    read: () => plain(this.#reserves.newest),
    write: (memory) => {
      if (this.full || this.#watcher.isWriterDead()) return false;
      this.#reserves.put(memory, this.#watcher.monotonicMs());
      return true;
    },
  };

  /** `lookBackMs`: how much older than the last one a snapshot may become. */
  constructor(watcher: TmpfsWatcher, lookBackMs: number, record: RestartRecord | null) {
    this.record = record;
    this.#watcher = watcher;
    this.#snapshots = new Versions(lookBackMs);
    this.#reserves = new Versions(lookBackMs);
    this.journals = new SimulatedJournals((isAgain) => {
      if (watcher.isWriterDead()) return 'lost';
      // Refused again: no moment of its own to be killed at.
      if (isAgain && this.full) return 'torn';
      if (!watcher.recordWritten()) return 'lost';
      return this.full ? 'torn' : 'kept';
    });
  }

  /** The state is immutable, so its JSON is only made when it is read. */
  read(): unknown {
    return plain(this.#snapshots.newest);
  }

  write(policy: unknown): boolean {
    if (this.full || this.#watcher.isWriterDead()) return false;
    this.#snapshots.put(policy, this.#watcher.monotonicMs());
    this.#watcher.snapshotWritten();
    return true;
  }

  /** While no daemon runs. */
  lose(loss: Loss): void {
    const toMs = loss.kind === 'age' ? this.#watcher.monotonicMs() - loss.ms : -Infinity;
    if (loss.kind === 'journals') this.journals.clear();
    else for (const versions of [this.#snapshots, this.#reserves]) versions.goBackTo(toMs);
  }

  /** The machine goes down; journals on a disk stay. */
  anotherBoot(journalsStay: boolean): void {
    this.#snapshots.clear();
    this.#reserves.clear();
    this.record?.anotherBoot();
    this.journals.anotherBoot(journalsStay);
  }
}

function plain(newest: unknown): unknown {
  return newest === null ? null : JSON.parse(JSON.stringify(newest));
}
