// The one record of a shutdown: the journal and what it says. A running daemon and a restarted one read the same. Nothing
// here throws or waits; a refused write is repeated.
import { decode } from '../../../shared/domain/base/decode.js';
import { JournalEntry } from './entries.js';
import type { GroupRecord, StepRecord } from './fold.js';
import type { PowerOffRecord, RestartRecord } from './power-off-record.js';
import { Fold } from './fold.js';
import type { JournalStore } from './journal.js';

export type Decision = Extract<JournalEntry, { kind: 'decided' }>;

export class SequenceRecord {
  readonly #store: JournalStore;
  #entries: JournalEntry[];
  #fold: Fold;
  #waiting: readonly { readonly isOver: () => boolean; readonly release: () => void }[] = [];

  /** Reads the journal of this boot. */
  constructor(store: JournalStore) {
    this.#store = store;
    this.#entries = [...entriesOf(store.read())];
    this.#fold = foldOf(this.#entries);
  }

  /** In the order of their decisions. */
  get groups(): readonly GroupRecord[] {
    return [...this.#fold.groups.values()];
  }

  /** The groups whose sequence has not ended, whether or not it runs yet. */
  get open(): readonly GroupRecord[] {
    return this.groups.filter(({ over }) => over === null);
  }

  get shared(): ReadonlyMap<string, StepRecord> {
    return this.#fold.shared;
  }

  get powerOff(): PowerOffRecord {
    return this.#fold.powerOff;
  }

  /** Of all reports of found guests. */
  get foundChars(): number {
    return this.#fold.foundChars;
  }

  get restart(): RestartRecord | null {
    return this.#fold.restart;
  }

  of(group: string): GroupRecord | undefined {
    return this.#fold.groups.get(group);
  }

  /** The shutdown of these groups is decided. With no open sequence the journal begins again, with the groups before whose outage is not over. */
  decide(decisions: readonly Decision[], isPast: (group: string) => boolean): void {
    if (this.open.length > 0) {
      for (const decision of decisions) this.write(decision);
      return;
    }
    const decided = new Set(decisions.map(({ group }) => group));
    const kept = this.groups.filter(({ group }) => !decided.has(group) && !isPast(group));
    const names = new Set(kept.map(({ group }) => group));
    const isKept = (entry: JournalEntry) => {
      // A restart that was ordered may still come, whatever else is decided.
      if (entry.kind === 'restartChosen' || entry.kind === 'restartEnded') return true;
      return 'group' in entry && entry.kind !== 'powerOffAsked'
        ? names.has(entry.group)
        : this.powerOff.attempts > 0;
    };
    this.#entries = [...this.#entries.filter(isKept), ...decisions];
    this.#fold = foldOf(this.#entries);
    this.#store.begin(this.#entries);
  }

  write(entry: JournalEntry): void {
    this.#entries.push(entry);
    this.#fold.add(entry);
    this.#store.write(entry);
    const ready = this.#waiting.filter(({ isOver }) => isOver());
    this.#waiting = this.#waiting.filter((one) => !ready.includes(one));
    for (const { release } of ready) release();
  }

  /** Settles when an entry makes `isOver` true; null when it is already. */
  until(isOver: () => boolean): Promise<void> | null {
    if (isOver()) return null;
    return new Promise((release) => {
      this.#waiting = [...this.#waiting, { isOver, release }];
    });
  }
}

/** The entries that can be decoded: a crash or a full disk leaves a partial line. */
export function entriesOf(lines: readonly unknown[]): readonly JournalEntry[] {
  return lines.flatMap((line) => {
    const decoded = decode(JournalEntry, line);
    return decoded.ok ? [decoded.value] : [];
  });
}

export function foldOf(entries: readonly JournalEntry[]): Fold {
  const fold = new Fold();
  for (const entry of entries) fold.add(entry);
  return fold;
}
