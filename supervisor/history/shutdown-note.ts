// A note on disk of the shutdowns that are not over yet, so that the next boot knows why the machine was down and what had
// been done: their journals are gone by then. Newest wins; nothing waits for it.
import type { storageContract } from '../../shared/protocol/storage.js';
import type { JournalCache } from '../sequence/journal/cache.js';
import { isCommitted } from '../sequence/journal/history.js';
import { summarize } from '../sequence/recovery/recovery.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

/** A commit takes milliseconds; a disk that needs longer is asked again at the next tick. */
const deadlineMs = 5_000;

export interface ShutdownNoteDependencies {
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  /** Identifies this run of the supervisor in the database. */
  readonly run: string;
  readonly journals: Pick<JournalCache, 'sequences' | 'powerOffs' | 'evict'>;
  /** The power of the group is back, confirmed. */
  readonly isOutageOver: (group: string) => boolean;
}

export class ShutdownNote {
  readonly #tools: ShutdownNoteDependencies;
  #hasBegun = false;
  /** As it is on disk. Undefined where that is not known: a run before this one on the same boot has left its own. */
  #stored: string | null | undefined;
  #inFlight = false;

  constructor(tools: ShutdownNoteDependencies) {
    this.#tools = tools;
  }

  /** The run is recorded, with what it found. What had been kept before that would be overwritten by it. */
  begun(): void {
    this.#hasBegun = true;
  }

  /** To be called every 250 ms. */
  tick(): void {
    if (!this.#hasBegun || this.#inFlight) return;
    const sequence = this.#summary();
    if (sequence === this.#stored) return;
    const { storage, run } = this.#tools;
    this.#inFlight = true;
    void storage.request('sequence.keep', { run, sequence }, deadlineMs).then((outcome) => {
      this.#inFlight = false;
      // What was not answered may be on disk all the same.
      this.#stored = outcome.ok ? sequence : undefined;
    });
  }

  /** What has been done past the point of no return in outages that are not over. */
  #summary(): string | null {
    const { journals, isOutageOver } = this.#tools;
    const powerOffs = journals.powerOffs.filter(({ tries, abandoned }) => tries > 0 && !abandoned);
    // Once the power-off has begun the host goes down, though power come back meanwhile: then nothing is forgotten.
    if (powerOffs.length === 0)
      for (const one of journals.sequences)
        if (one.over !== null && isOutageOver(one.header.group)) journals.evict(one);
    return summarize(journals.sequences.filter(isCommitted), powerOffs) ?? null;
  }
}
