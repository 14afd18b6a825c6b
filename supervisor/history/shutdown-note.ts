// A note in the database of what shutdowns have done past the point of no return, until their outage is over, without dry runs: the
// next boot learns from it why the machine was down, because tmpfs with the journals is gone by then. The newest wins; nothing waits
// for it.
import type { storageContract } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { KeptValue } from '../queues/kept-value.js';
import { deadlineMs } from '../queues/turns.js';
import type { GroupRecord } from '../sequence/journal/fold.js';
import { isPastPointOfNoReturn } from '../sequence/journal/fold.js';
import type { SequenceRecord } from '../sequence/journal/record.js';
import { summarize } from '../sequence/journal/summary.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';

export interface ShutdownNoteDependencies {
  readonly storage: Pick<WorkerHandle<typeof storageContract>, 'request'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Identifies this run of the supervisor in the database. */
  readonly run: string;
  readonly journal: () => Pick<SequenceRecord, 'groups' | 'powerOff' | 'restart'>;
  /** The return of the group's power is confirmed. */
  readonly isOutageOver: (group: string) => boolean;
}

export class ShutdownNote {
  readonly #deps: ShutdownNoteDependencies;
  #hasBegun = false;
  readonly #kept: KeptValue<string | null>;
  /** Decisions of outages that are over. */
  readonly #past = new Set<string>();

  constructor(deps: ShutdownNoteDependencies) {
    this.#deps = deps;
    const { storage, clock, run } = deps;
    // A previous run on this boot has left its own: the first is written in any case.
    this.#kept = new KeptValue<string | null>({
      clock,
      write: (sequence) => storage.request('sequence.keep', { run, sequence }, deadlineMs),
    });
  }

  /** The start of this run is recorded, with the previous note, which may now be overwritten. */
  begun(): void {
    this.#hasBegun = true;
  }

  tick(): void {
    if (this.#hasBegun) this.#kept.keep(this.#summary());
  }

  /** Storage is ready, or the daemon ends: what waits is sent now. */
  ready(): void {
    this.tick();
    this.#kept.ready();
  }

  /** What was done past the point of no return in outages that are not over. */
  #summary(): string | null {
    const { groups, powerOff, restart } = this.#deps.journal();
    const isRestarted = restart !== null && !restart.isPast && !powerOff.givenUp;
    const isBegun = isRestarted || (powerOff.attempts > 0 && !powerOff.givenUp);
    // Once the power-off has started the host goes down even if power returns: then every sequence stays in the note.
    if (!isBegun)
      for (const record of groups)
        if (record.over !== null && this.#deps.isOutageOver(record.group)) this.#past.add(decisionOf(record));
    const noted = groups.filter(
      (record) => isPastPointOfNoReturn(record) && !this.#past.has(decisionOf(record)),
    );
    return summarize(noted, isBegun ? [powerOff] : [], isRestarted ? [restart] : []) ?? null;
  }
}

const decisionOf = ({ group, startedMs }: GroupRecord): string => `${group} ${String(startedMs)}`;
