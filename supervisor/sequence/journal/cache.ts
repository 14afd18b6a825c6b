// Journals that also stay at hand as they would be found: what they tell is wanted while they are written, too. Everything
// passes through to the disk first.
import type { PowerOffHistory, SequenceHistory } from './summary.js';
import { powerOffHistory, sequenceHistory } from './summary.js';
import type { JournalHeader } from './record.js';
import type { FoundJournal, Journal, JournalStore } from './journal.js';

interface Histories {
  readonly sequence: SequenceHistory | undefined;
  readonly powerOff: PowerOffHistory | undefined;
}

interface AtHand {
  readonly found: FoundJournal;
  /** Undefined where it has to be read again. */
  histories: Histories | undefined;
}

export class JournalCache implements JournalStore {
  readonly #journals: JournalStore;
  /** By their names: one that is begun anew has the place of the one before it, as on disk. */
  readonly #atHand = new Map<string, AtHand>();

  constructor(journals: JournalStore) {
    this.#journals = journals;
  }

  get sequences(): readonly SequenceHistory[] {
    return this.#histories().flatMap(({ sequence }) => sequence ?? []);
  }

  get powerOffs(): readonly PowerOffHistory[] {
    return this.#histories().flatMap(({ powerOff }) => powerOff ?? []);
  }

  /** It is not needed at hand any more; on disk it stays. */
  forget({ found }: SequenceHistory): void {
    this.#atHand.delete(found.name);
  }

  read(): readonly FoundJournal[] {
    const all = this.#journals.read();
    // One that is written now is newer at hand than on disk.
    for (const found of all)
      if (!this.#atHand.has(found.name)) this.#atHand.set(found.name, { found, histories: undefined });
    return all;
  }

  readForeign(): readonly FoundJournal[] {
    return this.#journals.readForeign();
  }

  begin(name: string, header: JournalHeader): Journal {
    return this.#keeping({ name, header, records: [] }, this.#journals.begin(name, header));
  }

  resume(found: FoundJournal): Journal {
    return this.#keeping(found, this.#journals.resume(found));
  }

  catchUp(): void {
    this.#journals.catchUp();
  }

  removeForeign(): void {
    this.#journals.removeForeign();
  }

  #keeping({ name, header, records: former }: FoundJournal, journal: Journal): Journal {
    const records = [...former];
    const atHand: AtHand = { found: { name, header, records }, histories: undefined };
    this.#atHand.set(name, atHand);
    return {
      write: (record) => {
        journal.write(record);
        records.push(record);
        atHand.histories = undefined;
      },
    };
  }

  /** A plan of very many servers takes some milliseconds to read: not each time it is asked for. */
  #histories(): readonly Histories[] {
    return [...this.#atHand.values()].map(
      (one) =>
        (one.histories ??= {
          sequence: sequenceHistory(one.found),
          powerOff: powerOffHistory(one.found),
        }),
    );
  }
}
