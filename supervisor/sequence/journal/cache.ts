// In-memory copy of the journals, for reads of the progress during writes. Every write reaches the disk first.
import type { PowerOffHistory, SequenceHistory } from './history.js';
import { powerOffHistory, sequenceHistory } from './history.js';
import type { JournalHeader } from './record.js';
import type { FoundJournal, Journal, JournalStore } from './journal.js';

interface Histories {
  readonly sequence: SequenceHistory | undefined;
  readonly powerOff: PowerOffHistory | undefined;
}

interface CachedJournal {
  readonly found: FoundJournal;
  /** Undefined after a new record. */
  histories: Histories | undefined;
}

export class JournalCache implements JournalStore {
  readonly #journals: JournalStore;
  /** By name: a new journal replaces one of the same name, as on disk. */
  readonly #cached = new Map<string, CachedJournal>();

  constructor(journals: JournalStore) {
    this.#journals = journals;
  }

  get sequences(): readonly SequenceHistory[] {
    return this.#histories().flatMap(({ sequence }) => sequence ?? []);
  }

  get powerOffs(): readonly PowerOffHistory[] {
    return this.#histories().flatMap(({ powerOff }) => powerOff ?? []);
  }

  /** Removes the copy; the file stays. */
  evict({ found }: SequenceHistory): void {
    this.#cached.delete(found.name);
  }

  read(): readonly FoundJournal[] {
    const all = this.#journals.read();
    // The copy of an open journal is newer than its file.
    for (const found of all)
      if (!this.#cached.has(found.name)) this.#cached.set(found.name, { found, histories: undefined });
    return all;
  }

  readPreviousBoots(): readonly FoundJournal[] {
    return this.#journals.readPreviousBoots();
  }

  begin(name: string, header: JournalHeader): Journal {
    return this.#caching({ name, header, records: [] }, this.#journals.begin(name, header));
  }

  resume(found: FoundJournal): Journal {
    return this.#caching(found, this.#journals.resume(found));
  }

  flush(): void {
    this.#journals.flush();
  }

  removePreviousBoots(): void {
    this.#journals.removePreviousBoots();
  }

  #caching({ name, header, records: former }: FoundJournal, journal: Journal): Journal {
    const records = [...former];
    const cached: CachedJournal = { found: { name, header, records }, histories: undefined };
    this.#cached.set(name, cached);
    return {
      write: (record) => {
        journal.write(record);
        records.push(record);
        cached.histories = undefined;
      },
    };
  }

  /** Cached: the plan of very many servers takes some milliseconds to decode. */
  #histories(): readonly Histories[] {
    return [...this.#cached.values()].map(
      (journal) =>
        (journal.histories ??= {
          sequence: sequenceHistory(journal.found),
          powerOff: powerOffHistory(journal.found),
        }),
    );
  }
}
