// A note in the database of the shutdowns that are not over: the next boot learns from it why the machine was down and
// what was done, because tmpfs with the journals is gone by then. The newest wins; nothing waits for it.
import type { storageContract } from '../../shared/protocol/storage.js';
import type { JournalCache } from '../sequence/journal/cache.js';
import { isCommitted } from '../sequence/journal/history.js';
import { summarize } from '../sequence/recovery/recovery.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** A commit takes milliseconds; after this time it is sent again at the next tick. */
const deadlineMs = 5_000;

export interface ShutdownNoteDependencies {
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  /** Identifies this run of the supervisor in the database. */
  readonly run: string;
  readonly journals: Pick<JournalCache, 'sequences' | 'powerOffs' | 'evict'>;
  /** The return of the group's power is confirmed. */
  readonly isOutageOver: (group: string) => boolean;
}

export class ShutdownNote {
  readonly #tools: ShutdownNoteDependencies;
  #hasBegun = false;
  /** The note on disk; undefined while it is not known: a previous run on this boot left its own. */
  #stored: string | null | undefined;
  #inFlight = false;

  constructor(tools: ShutdownNoteDependencies) {
    this.#tools = tools;
  }

  /** The start of this run is recorded, with the previous note, which may now be overwritten. */
  begun(): void {
    this.#hasBegun = true;
  }

  tick(): void {
    if (!this.#hasBegun || this.#inFlight) return;
    const sequence = this.#summary();
    if (sequence === this.#stored) return;
    const { storage, run } = this.#tools;
    this.#inFlight = true;
    void storage.request('sequence.keep', { run, sequence }, deadlineMs).then((outcome) => {
      this.#inFlight = false;
      // A request without an answer may have been committed.
      this.#stored = outcome.ok ? sequence : undefined;
    });
  }

  /** What was done past the point of no return in outages that are not over. */
  #summary(): string | null {
    const { journals, isOutageOver } = this.#tools;
    const powerOffs = journals.powerOffs.filter(({ tries, abandoned }) => tries > 0 && !abandoned);
    // Once the power-off has started the host goes down even if power returns: then no sequence is evicted.
    if (powerOffs.length === 0)
      for (const one of journals.sequences)
        if (one.over !== null && isOutageOver(one.header.group)) journals.evict(one);
    return summarize(journals.sequences.filter(isCommitted), powerOffs) ?? null;
  }
}
