// The journal as `JournalFiles` keeps it, in memory. A full disk tears a line; lines that could not be written are written
// completely as soon as possible; a later boot finds it as the journal of another boot, or not at all.
import type { JournalEntry } from '../../supervisor/sequence/journal/entries.js';
import type { JournalStore } from '../../supervisor/sequence/journal/journal.js';
import { journalLines } from '../../supervisor/sequence/journal/journal.js';

export type WriteOutcome = 'lost' | 'torn' | 'kept';

/** Decides the outcome; `isAgain`: for lines that were refused before. */
export type DecideWrite = (isAgain: boolean) => WriteOutcome;

export class SimulatedJournals implements JournalStore {
  /** The text of each boot on the disk: all that the next daemon finds. */
  readonly #kept = new Map<number, string>();
  readonly #writeOutcome: DecideWrite;
  #boot = 1;
  #lines: string[] = [];
  /** Of the lines, how many are on the disk as they should be; 0: the file is to be written whole. */
  #writtenLines = 0;
  /** A line has been refused. */
  #isBehind = false;

  constructor(writeOutcome: DecideWrite) {
    this.#writeOutcome = writeOutcome;
  }

  read(): readonly unknown[] {
    const found = journalLines(this.#kept.get(this.#boot) ?? '');
    this.#replace(found);
    return found;
  }

  readPreviousBoots(): readonly (readonly unknown[])[] {
    return [...this.#kept].flatMap(([boot, text]) => (boot === this.#boot ? [] : [journalLines(text)]));
  }

  begin(entries: readonly JournalEntry[]): void {
    this.#replace(entries);
    this.#write(false);
  }

  write(entry: JournalEntry): void {
    this.#lines.push(JSON.stringify(entry));
    this.#write(false);
  }

  flush(): void {
    if (this.#isBehind) this.#write(true);
  }

  /** The daemon has died: unwritten lines are lost. */
  writerDied(): void {
    this.#replace([]);
  }

  removePreviousBoots(): void {
    for (const boot of [...this.#kept.keys()]) if (boot !== this.#boot) this.#kept.delete(boot);
  }

  /** Those of this boot. */
  clear(): void {
    this.#kept.delete(this.#boot);
  }

  /** The machine goes down; `stay`: the directory is on a disk and not on a tmpfs. */
  anotherBoot(stay: boolean): void {
    if (!stay) this.#kept.clear();
    this.#boot += 1;
  }

  #replace(entries: readonly unknown[]): void {
    this.#lines = entries.map((entry) => JSON.stringify(entry));
    this.#writtenLines = 0;
    this.#isBehind = false;
  }

  #write(isAgain: boolean): void {
    const outcome = this.#writeOutcome(isAgain);
    const text = this.#lines.slice(this.#writtenLines).join('\n');
    const before = this.#kept.get(this.#boot);
    if (outcome === 'kept') {
      this.#kept.set(this.#boot, `${this.#writtenLines === 0 ? '' : (before ?? '')}${text}\n`);
      this.#writtenLines = this.#lines.length;
      this.#isBehind = false;
      return;
    }
    // A complete file replaces the old one by a rename: only an appended line can be torn.
    if (outcome === 'torn' && this.#writtenLines > 0 && before !== undefined)
      this.#kept.set(this.#boot, before + text.slice(0, text.length >> 1));
    this.#writtenLines = 0;
    this.#isBehind = true;
  }
}
