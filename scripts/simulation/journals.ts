// Journals as `JournalFiles` keeps them, line by line in memory: a full disk tears a line, what could not be written is
// written whole with the next record, and another boot finds them as foreign or not at all.
import type { FoundJournal, Journal, JournalStore } from '../../supervisor/sequence/journal.js';
import type { JournalHeader } from '../../supervisor/sequence/journal-record.js';

/** Who is asked whether a line gets to the disk: not at all, a part of it, or whole. */
export type LineFate = 'lost' | 'torn' | 'kept';

interface Kept {
  readonly name: string;
  readonly boot: number;
  text: string;
}

export class SimulatedJournals implements JournalStore {
  /** By the names of their journals: the one that may write there. */
  readonly #writers = new Map<string, symbol>();
  /** As they lie there, as text: what a life of the daemon has in its hands is not what the next one finds. */
  readonly #kept = new Map<string, Kept>();
  readonly #fate: () => LineFate;
  #boot = 1;

  constructor(fate: () => LineFate) {
    this.#fate = fate;
  }

  read(): readonly FoundJournal[] {
    return this.#found((boot) => boot === this.#boot);
  }

  readForeign(): readonly FoundJournal[] {
    return this.#found((boot) => boot !== this.#boot);
  }

  begin(name: string, header: JournalHeader): Journal {
    const journal = this.#journal(name, [JSON.stringify(header)]);
    journal.flush();
    return journal;
  }

  resume({ name, header, records }: FoundJournal): Journal {
    return this.#journal(
      name,
      [header, ...records].map((line) => JSON.stringify(line)),
    );
  }

  removeForeign(): void {
    for (const [key, { boot }] of this.#kept) if (boot !== this.#boot) this.#kept.delete(key);
  }

  /** All are gone. */
  clear(): void {
    this.#kept.clear();
  }

  /** The machine goes down: `stay` where the directory lies on a disk. */
  anotherBoot(stay: boolean): void {
    this.#boot += 1;
    if (!stay) this.clear();
  }

  #journal(name: string, lines: string[]): Journal & { readonly flush: () => void } {
    const key = `${String(this.#boot)} ${name}`;
    /** Of the lines, how many are on the disk as they should be; 0: the file is to be written whole. */
    let whole = 0;
    const writer = Symbol(name);
    this.#writers.set(key, writer);
    const flush = () => {
      if (this.#writers.get(key) !== writer) return;
      const fate = this.#fate();
      const text = lines.slice(whole).join('\n');
      if (fate === 'kept') {
        const before = whole === 0 ? '' : `${this.#kept.get(key)?.text ?? ''}`;
        this.#kept.set(key, { name, boot: this.#boot, text: `${before}${text}\n` });
        whole = lines.length;
        return;
      }
      const file = this.#kept.get(key);
      // A file that is written whole is written beside the old one: only a line that is added can be torn.
      if (fate === 'torn' && whole > 0 && file !== undefined) file.text += text.slice(0, text.length >> 1);
      whole = 0;
    };
    return {
      write: (record) => {
        lines.push(JSON.stringify(record));
        flush();
      },
      flush,
    };
  }

  #found(isMeant: (boot: number) => boolean): readonly FoundJournal[] {
    return [...this.#kept.values()]
      .filter(({ boot }) => isMeant(boot))
      .flatMap(({ name, text }) => {
        const [header, ...records] = text.split('\n').flatMap(parsed);
        return header === undefined ? [] : [{ name, header, records }];
      });
  }
}

function parsed(line: string): readonly unknown[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line)];
  } catch {
    // Torn: as if it had not been written.
    return [];
  }
}
