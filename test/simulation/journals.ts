// Journals as `JournalFiles` keeps them, line by line in memory: a full disk tears a line, what could not be written is
// written whole as soon as it can be, and another boot finds them as foreign or not at all.
import type { FoundJournal, Journal, JournalStore } from '../../supervisor/sequence/journal/journal.js';
import type { JournalHeader } from '../../supervisor/sequence/journal/record.js';

/** What becomes of a line on its way to the disk: not at all, a part of it, or whole. */
export type WriteOutcome = 'lost' | 'torn' | 'kept';

/** Who is asked for it; `isAgain`: of lines that have been refused before. */
export type DecideWrite = (isAgain: boolean) => WriteOutcome;

/** The one that may write a journal. */
interface Writer {
  readonly flush: (isAgain: boolean) => void;
  /** Something has been refused. */
  isBehind: boolean;
}

interface Kept {
  readonly name: string;
  readonly boot: number;
  text: string;
}

export class SimulatedJournals implements JournalStore {
  /** By the names of their journals. */
  readonly #writers = new Map<string, Writer>();
  /** As they lie there, as text: what a life of the daemon has in its hands is not what the next one finds. */
  readonly #kept = new Map<string, Kept>();
  readonly #writeOutcome: DecideWrite;
  #boot = 1;

  constructor(writeOutcome: DecideWrite) {
    this.#writeOutcome = writeOutcome;
  }

  read(): readonly FoundJournal[] {
    return this.#found((boot) => boot === this.#boot);
  }

  readForeign(): readonly FoundJournal[] {
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

  catchUp(): void {
    for (const { isBehind, flush } of this.#writers.values()) if (isBehind) flush(true);
  }

  /** The daemon is gone, and what it had not got to the disk with it. */
  writerDied(): void {
    this.#writers.clear();
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
      // A file that is written whole is written beside the old one: only a line that is added can be torn.
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
