// A note on disk of a shutdown that is not over yet, so that the next boot knows why the machine was down and what had
// been done. Newest wins; nothing waits for it.
import { cutTo } from '../shared/domain/cut.js';
import type { SequenceModel } from '../shared/domain/status-model.js';
import type { storageContract } from '../shared/protocol/storage.js';
import { longestAccount } from '../shared/protocol/storage.js';
import type { WorkerHandle } from './worker-spec.js';

/** A commit takes milliseconds; a disk that needs longer is asked again at the next tick. */
const deadlineMs = 5_000;

export class SequenceNote {
  readonly #storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  readonly #run: string;
  /** What is to be kept; undefined while that is on disk already. */
  #next: { readonly sequence: string | null } | undefined;
  #kept: string | null = null;
  #inFlight = false;

  /** `run` identifies this run of the supervisor in the database. */
  constructor(storage: Pick<WorkerHandle<typeof storageContract>, 'request'>, run: string) {
    this.#storage = storage;
    this.#run = run;
  }

  /** The sequence has gone on. A dry run shuts nothing down and leaves no note. */
  changed(model: SequenceModel): void {
    if (!('group' in model) || model.dryRun || !model.pointOfNoReturn) return;
    this.#keep(inWords(model));
  }

  /** Power is back and the machine is still up: there is nothing to explain to the next boot. */
  over(): void {
    if (this.#kept !== null || this.#next !== undefined) this.#keep(null);
  }

  /** To be called every 250 ms. */
  tick(): void {
    const next = this.#next;
    if (next === undefined || this.#inFlight) return;
    this.#inFlight = true;
    void this.#storage.request('sequence.keep', { run: this.#run, ...next }, deadlineMs).then((outcome) => {
      this.#inFlight = false;
      if (!outcome.ok) return;
      this.#kept = next.sequence;
      if (this.#next === next) this.#next = undefined;
    });
  }

  #keep(sequence: string | null): void {
    if (sequence === this.#kept && this.#next === undefined) return;
    this.#next = { sequence };
  }
}

function inWords({ group, steps }: Extract<SequenceModel, { group: string }>): string {
  const told = steps.map(({ id, state }) => `${id} ${state}`);
  return cutTo(`${group}: ${told.join(', ')}`, longestAccount);
}
