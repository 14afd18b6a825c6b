// Journals as `JournalFiles` keeps them, in memory. A full disk tears a line; lines that could not be written are written
// completely as soon as possible; a later boot finds them as journals of another boot, or not at all.
import type { FoundJournal, Journal, JournalStore } from '../../supervisor/sequence/journal/journal.js';
import { journalLines } from '../../supervisor/sequence/journal/journal.js';
import type { JournalHeader } from '../../supervisor/sequence/journal/record.js';

export type WriteOutcome = 'lost' | 'torn' | 'kept';

/** Decides the outcome; `isAgain`: for lines that were refused before. */
export type DecideWrite = (isAgain: boolean) => WriteOutcome;

interface Writer {
  readonly flush: (isAgain: boolean) => void;
  /** A line has been refused. */
  isBehind: boolean;
}

interface Kept {
  readonly name: string;
  readonly boot: number;
  text: string;
}

export class SimulatedJournals implements JournalStore {
  /** By journal name. */
  readonly #writers = new Map<string, Writer>();
  /** Their text on the disk: all that the next daemon finds. */
  readonly #kept = new Map<string, Kept>();
  readonly #writeOutcome: DecideWrite;
  #boot = 1;

  constructor(writeOutcome: DecideWrite) {
    this.#writeOutcome = writeOutcome;
  }

  read(): readonly FoundJournal[] {
    return this.#found((boot) => boot === this.#boot);
  }

  readPreviousBoots(): readonly FoundJournal[] {
    return this.#found((boot) => boot !== this.#boot);
  }

  begin(name: string, header: JournalHeader): Journal {
    return this.#journal(name, [JSON.stringify(header)], true);
  }

  resume({ name, header, records }: FoundJournal): Journal {
    return this.#journal(
      name,
      [header, ...records].map((line) => JSON.stringify(line)),
      false,
    );
  }

  flush(): void {
    for (const { isBehind, flush } of this.#writers.values()) if (isBehind) flush(true);
  }

  /** The daemon has died: unwritten lines are lost. */
  writerDied(): void {
    this.#writers.clear();
  }

  removePreviousBoots(): void {
    for (const [key, { boot }] of this.#kept) if (boot !== this.#boot) this.#kept.delete(key);
  }

  /** Those of this boot. */
  clear(): void {
    for (const [key, { boot }] of this.#kept) if (boot === this.#boot) this.#kept.delete(key);
  }

  /** The machine goes down; `stay`: the directory is on a disk and not on a tmpfs. */
  anotherBoot(stay: boolean): void {
    if (!stay) this.#kept.clear();
    this.#boot += 1;
  }

  #journal(name: string, lines: string[], isNew: boolean): Journal {
    const key = `${String(this.#boot)} ${name}`;
    /** Of the lines, how many are on the disk as they should be; 0: the file is to be written whole. */
    let writtenLines = 0;
    const flush = (isAgain: boolean) => {
      if (this.#writers.get(key) !== writer) return;
      const writeOutcome = this.#writeOutcome(isAgain);
      const text = lines.slice(writtenLines).join('\n');
      if (writeOutcome === 'kept') {
        const before = writtenLines === 0 ? '' : `${this.#kept.get(key)?.text ?? ''}`;
        this.#kept.set(key, { name, boot: this.#boot, text: `${before}${text}\n` });
        writtenLines = lines.length;
        writer.isBehind = false;
        return;
      }
      const file = this.#kept.get(key);
      // A complete file replaces the old one by a rename: only an appended line can be torn.
      if (writeOutcome === 'torn' && writtenLines > 0 && file !== undefined)
        file.text += text.slice(0, text.length >> 1);
      writtenLines = 0;
      writer.isBehind = true;
    };
    const writer: Writer = { flush, isBehind: false };
    this.#writers.set(key, writer);
    if (isNew) flush(false);
    return {
      write: (record) => {
        lines.push(JSON.stringify(record));
        flush(false);
      },
    };
  }

  #found(isMeant: (boot: number) => boolean): readonly FoundJournal[] {
    return [...this.#kept.values()]
      .filter(({ boot }) => isMeant(boot))
      .flatMap(({ name, text }) => {
        const [header, ...records] = journalLines(text);
        return header === undefined ? [] : [{ name, header, records }];
      });
  }
}
