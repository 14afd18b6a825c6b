// The journal of every sequence: what is done is written down before it begins and after it has ended, in small files on
// tmpfs. Synchronous on purpose, as the snapshot is. Nothing here throws: a sequence goes on without its journal.
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { renameSync, unlinkSync, writeSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from '../../../shared/runtime/log.js';
import { errorMessage } from '../../../shared/domain/error-message.js';
import type { JournalHeader, JournalRecord } from './record.js';

/** The plan of 1,000 servers with their commands stays far below this; a larger file is not ours. */
const largestBytes = 32 * 1024 * 1024;
/** One for each group; more than this no configuration has. */
const mostJournals = 4_096;
const suffix = '.journal';

/** A journal as it was found: its first line and the others. Untrusted data; what cannot be read is left out. */
export interface FoundJournal {
  readonly name: string;
  readonly header: unknown;
  readonly records: readonly unknown[];
}

/** Where what is done is written down. */
export interface Journal {
  write(record: JournalRecord): void;
}

/** Where the journals lie: `JournalFiles`, or simulated ones. No method throws. */
export interface JournalStore {
  /** The journals of this boot. */
  read(): readonly FoundJournal[];
  /** Those of another boot: what they tell of is over. */
  readForeign(): readonly FoundJournal[];
  /** A new journal with this name, in place of any that is there. */
  begin(name: string, header: JournalHeader): Journal;
  /** Goes on with one that was found. */
  resume(found: FoundJournal): Journal;
  /** Tries once more to write what has been refused: the last record of a journal has no next one to take it along. */
  catchUp(): void;
  removeForeign(): void;
}

export class JournalFiles implements JournalStore {
  readonly #directory: string;
  readonly #bootId: string;
  readonly #log: Logger;
  /** Said once; the sequence has other things to do. */
  #complained = false;
  /** By the names of their journals: a file that is taken over is closed. */
  readonly #open = new Map<string, JournalFile>();

  constructor(directory: string, bootId: string, log: Logger) {
    this.#directory = directory;
    this.#bootId = bootId;
    this.#log = log;
  }

  read(): readonly FoundJournal[] {
    return this.#found().flatMap(({ bootId, found }) => (bootId === this.#bootId ? [found] : []));
  }

  readForeign(): readonly FoundJournal[] {
    return this.#found().flatMap(({ bootId, found }) => (bootId === this.#bootId ? [] : [found]));
  }

  begin(name: string, header: JournalHeader): Journal {
    const journal = this.#journal(name, []);
    this.#open.get(name)?.line({ bootId: this.#bootId, name, header });
    return journal;
  }

  resume({ name, header, records }: FoundJournal): Journal {
    return this.#journal(name, [{ bootId: this.#bootId, name, header }, ...records]);
  }

  catchUp(): void {
    for (const file of this.#open.values()) file.catchUp();
  }

  removeForeign(): void {
    for (const { path, bootId } of this.#found()) {
      if (bootId === this.#bootId) continue;
      try {
        unlinkSync(path);
      } catch (error) {
        // EROFS, or gone already: at worst the next start tells of that outage again.
        this.#log.warning(
          `the journal ${path} of an earlier outage cannot be removed: ${errorMessage(error)}`,
        );
      }
    }
  }

  #journal(name: string, lines: readonly unknown[]): Journal {
    this.#open.get(name)?.retire();
    const file = new JournalFile(this.#pathOf(name), (error) => this.#failed(error), lines);
    this.#open.set(name, file);
    return { write: (record) => file.line(record) };
  }

  #pathOf(name: string): string {
    // A file name holds 255 bytes; the name itself stands in the first line.
    const short = name.length <= 160 ? name : `${name.slice(0, 120)}-${digest(name)}`;
    return join(this.#directory, `${short}${suffix}`);
  }

  #found(): readonly { readonly path: string; readonly bootId: string; readonly found: FoundJournal }[] {
    let names: readonly string[];
    try {
      names = readdirSync(this.#directory);
    } catch {
      // No directory, no journals: that it is missing was said when it could not be made.
      return [];
    }
    const paths = names.filter((file) => file.endsWith(suffix)).slice(0, mostJournals);
    return paths.flatMap((file) => {
      const path = join(this.#directory, file);
      const read = readLines(path);
      if (!read.ok) {
        this.#log.warning(
          `the journal ${path} cannot be used (${read.fault}): a sequence of which only it knew is not resumed`,
        );
        return [];
      }
      const [first, ...records] = read.lines;
      if (typeof first !== 'object' || first === null) return [];
      const { bootId, name, header } = first as Record<string, unknown>;
      if (typeof bootId !== 'string' || typeof name !== 'string') return [];
      return [{ path, bootId, found: { name, header, records } }];
    });
  }

  #failed(error: unknown): void {
    if (this.#complained) return;
    this.#complained = true;
    this.#log.error(
      `the journal in ${this.#directory} cannot be written (${errorMessage(error)}): the shutdown goes on, but a crash of the ` +
        'daemon in its middle would run finished steps again; free space in the runtime directory',
    );
  }
}

/** One file. What could not be written is written whole as soon as it can be: a tmpfs may have room again. */
class JournalFile {
  readonly #path: string;
  readonly #failed: (error: unknown) => void;
  readonly #lines: string[];
  /** Undefined: the file is not there as it should be. */
  #descriptor: number | undefined;
  /** A line has been refused, and the file is without it. */
  #isBehind = false;
  #isRetired = false;

  constructor(path: string, failed: (error: unknown) => void, lines: readonly unknown[] = []) {
    this.#path = path;
    this.#failed = failed;
    this.#lines = lines.map((line) => JSON.stringify(line));
  }

  /** Another journal takes the name: what this one still has to say, of a step that was left behind, must not replace it. */
  retire(): void {
    this.#close();
    this.#isRetired = true;
  }

  line(content: unknown): void {
    if (this.#isRetired) return;
    const line = JSON.stringify(content);
    this.#lines.push(line);
    this.#write(line);
  }

  catchUp(): void {
    if (this.#isBehind) this.#write('');
  }

  /** `line` alone where the file is as it should be without it, else all of them. */
  #write(line: string): void {
    try {
      if (this.#descriptor === undefined) this.#descriptor = this.#writeWhole();
      else writeAll(this.#descriptor, `${line}\n`);
      this.#isBehind = false;
    } catch (error) {
      // ENOSPC, EROFS, EMFILE and their like.
      this.#close();
      this.#isBehind = true;
      this.#failed(error);
    }
  }

  /** Beside the old file, then in its place: whatever lies there, a FIFO too, is neither opened nor waited for. */
  #writeWhole(): number {
    const next = `${this.#path}.next`;
    mkdirSync(join(this.#path, '..'), { recursive: true, mode: 0o700 });
    removeIfThere(next);
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const descriptor = openSync(next, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      writeAll(descriptor, this.#lines.map((line) => `${line}\n`).join(''));
      renameSync(next, this.#path);
      return descriptor;
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  #close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** A full disk may take a part of it: then it throws, and the file is written whole the next time. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

type Lines =
  { readonly ok: true; readonly lines: readonly unknown[] } | { readonly ok: false; readonly fault: string };

/** The lines of a file, without those that are no JSON: a crash or a full disk tears the last one. */
function readLines(path: string): Lines {
  let descriptor: number | undefined;
  try {
    // Not waiting for a writer, should it be a FIFO.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const about = fstatSync(descriptor);
    if (!about.isFile()) return { ok: false, fault: 'it is no file' };
    if (about.size > largestBytes) return { ok: false, fault: 'it is larger than any journal of ours' };
    return { ok: true, lines: readFileSync(descriptor, 'utf8').split('\n').flatMap(parsed) };
  } catch (error) {
    return { ok: false, fault: errorMessage(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function parsed(line: string): readonly unknown[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line)];
  } catch {
    // A torn line: what it would have said is not known, and the step it was about may run again.
    return [];
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
