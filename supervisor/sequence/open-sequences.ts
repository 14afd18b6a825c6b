// Sequences that are decided, not running and not ended: a previous daemon left them, or an exception of this daemon lost
// them. Each is resumed, or dropped when power is back. Without a fresh reading it is resumed; past the point of no return it
// is never dropped.
import { openSequences } from '../policy/snapshot.js';
import type { PolicyState } from '../policy/state/state.js';
import type { Cause } from './journal/entries.js';
import { isPastPointOfNoReturn } from './journal/fold.js';
import type { SequenceRecord } from './journal/record.js';

/** Longest wait of a resumed sequence for a fresh reading (specification/sequence.md#restart-during-a-sequence). */
const maxReadingWaitMs = 15_000;

/** What decides between resuming and dropping. */
export interface Power {
  readonly powerIsBack: (group: string) => boolean;
  readonly isSeenOnBattery: (group: string) => boolean;
}

export interface OpenSequence {
  readonly group: string;
  readonly cause: Cause;
}

/** The record beside what policy knows to have fired. */
export interface Unfinished {
  /** Policy waits for their end, and the record does not have it. */
  readonly fired: readonly OpenSequence[];
  /** Those of `fired` that are not in the record: the daemon was killed between the two, or the record is lost. */
  readonly undecided: readonly OpenSequence[];
  /** Only the record has them, or policy has an earlier one: it must learn that the group has fired. */
  readonly unknownToPolicy: readonly OpenSequence[];
  /** Policy waits for their end, and the record has it, or a later sequence of the group. */
  readonly over: readonly { readonly group: string; readonly cancelled: boolean }[];
}

/**
 * The record belongs to what has fired if the time of the decision is the same. A decision after `takenMs`, when the state
 * was saved, is newer than the state. `firedAt`: of a sequence of this outage by the reserve, which policy may have decided later.
 */
export function findUnfinished(
  record: Pick<SequenceRecord, 'of' | 'open'>,
  state: PolicyState,
  takenMs = Infinity,
  firedAt: (group: string) => number | undefined = () => undefined,
): Unfinished {
  const all = openSequences(state).map(({ group, trigger, why, sinceUnixSeconds }) => {
    const known = record.of(group);
    const times = [sinceUnixSeconds, firedAt(group)];
    const isSame = known !== undefined && times.includes(known.cause.firedAtUnixSeconds);
    const isLater = known !== undefined && !isSame && known.startedMs > takenMs;
    const over = isSame || isLater ? known.over : null;
    return {
      group,
      cause: isSame ? known.cause : { trigger, why, firedAtUnixSeconds: sinceUnixSeconds },
      isRecorded: isSame,
      isOver: isLater || over !== null,
      cancelled: (over?.cancelled ?? null) !== null,
    };
  });
  const fired = all.filter(({ isOver }) => !isOver);
  return {
    fired,
    undecided: fired.filter(({ isRecorded }) => !isRecorded),
    unknownToPolicy: record.open.filter(({ group }) => !fired.some((one) => one.group === group)),
    over: all.filter(({ isOver }) => isOver),
  };
}

export class OpenSequences {
  readonly #record: Pick<SequenceRecord, 'of'>;
  readonly #open = new Map<string, OpenSequence>();
  readonly #startedMs: number;

  constructor(record: Pick<SequenceRecord, 'of'>, nowMs: number) {
    this.#record = record;
    this.#startedMs = nowMs;
  }

  get any(): boolean {
    return this.#open.size > 0;
  }

  has(group: string): boolean {
    return this.#open.has(group);
  }

  add({ group, cause }: OpenSequence): void {
    this.#open.set(group, { group, cause });
  }

  /** Called after each poll and tick. Returns the sequences to run now and those to drop, each once. */
  settle(
    power: Power,
    nowMs: number,
  ): { readonly run: readonly OpenSequence[]; readonly drop: readonly OpenSequence[] } {
    if (this.#open.size === 0) return { run: [], drop: [] };
    const all = [...this.#open.values()];
    const drop = all.filter(({ group }) => !this.#isPastPointOfNoReturn(group) && power.powerIsBack(group));
    const run = all.filter(
      (open) =>
        !drop.includes(open) &&
        (this.#isPastPointOfNoReturn(open.group) ||
          nowMs - this.#startedMs >= maxReadingWaitMs ||
          power.isSeenOnBattery(open.group)),
    );
    for (const { group } of [...drop, ...run]) this.#open.delete(group);
    return { run, drop };
  }

  #isPastPointOfNoReturn(group: string): boolean {
    const known = this.#record.of(group);
    return known !== undefined && known.over === null && isPastPointOfNoReturn(known);
  }
}
