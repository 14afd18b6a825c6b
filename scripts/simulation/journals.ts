// Journals as `JournalFiles` keeps them, in memory: what could not be written is written whole with the next record.
import type { FoundJournal, Journal, JournalStore } from '../../supervisor/sequence/journal.js';
import type { JournalHeader } from '../../supervisor/sequence/journal-record.js';

export class SimulatedJournals implements JournalStore {
  /** As they lie there, as text: what a life of the daemon has in its hands is not what the next one finds. */
  readonly #kept = new Map<string, string>();
  readonly #isFull: () => boolean;

  constructor(isFull: () => boolean) {
    this.#isFull = isFull;
  }

  read(): readonly FoundJournal[] {
    return [...this.#kept.values()].map((text) => JSON.parse(text) as FoundJournal);
  }

  readForeign(): readonly FoundJournal[] {
    return [];
  }

  begin(name: string, header: JournalHeader): Journal {
    const journal = this.resume({ name, header, records: [] });
    this.#keep({ name, header, records: [] });
    return journal;
  }

  resume({ name, header, records }: FoundJournal): Journal {
    const all = [...records];
    return {
      write: (record) => {
        all.push(record);
        this.#keep({ name, header, records: all });
      },
    };
  }

  removeForeign(): void {
    // The machine has only ever one boot's: they go with it.
  }

  clear(): void {
    this.#kept.clear();
  }

  #keep(journal: FoundJournal): void {
    if (!this.#isFull()) this.#kept.set(journal.name, JSON.stringify(journal));
  }
}
