// The journals of sequences: small files on tmpfs with a record of each step before it starts and after it ends. Writes are
// synchronous, as for the snapshot. Nothing here throws: a sequence continues without its journal.
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { renameSync, unlinkSync, writeSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { errorMessage } from '../../../shared/domain/error-message.js';
import type { Logger } from '../../../shared/runtime/log.js';
import type { JournalHeader, JournalRecord } from './record.js';

/** The plan of 1,000 servers with their commands is far smaller; a larger file is not a journal. */
const maxBytes = 32 * 1024 * 1024;
/** One for each group; no configuration has more. */
const maxJournals = 4_096;
const suffix = '.journal';

/** A journal as read: its first line and the others. Untrusted data, without the lines that cannot be parsed. */
export interface FoundJournal {
  readonly name: string;
  readonly header: unknown;
  readonly records: readonly unknown[];
}

export interface Journal {
  write(record: JournalRecord): void;
}

/** Stores the journals: `JournalFiles`, or simulated ones. No method throws. */
export interface JournalStore {
  /** The journals of this boot. */
  read(): readonly FoundJournal[];
  /** The journals of other boots; their outages are over. */
  readPreviousBoots(): readonly FoundJournal[];
  /** Creates a journal; it replaces one with the same name. */
  begin(name: string, header: JournalHeader): Journal;
  /** Appends to a journal that was read. */
  resume(found: FoundJournal): Journal;
  /** Writes records again whose write failed. A later record would do the same, but the last one has no later record. */
  flush(): void;
  removePreviousBoots(): void;
}

export class JournalFiles implements JournalStore {
  readonly #directory: string;
  readonly #bootId: string;
  readonly #log: Logger;
  #errorLogged = false;
  /** By journal name; a replaced file is closed. */
  readonly #open = new Map<string, JournalFile>();

  constructor(directory: string, bootId: string, log: Logger) {
    this.#directory = directory;
    this.#bootId = bootId;
    this.#log = log;
  }

  read(): readonly FoundJournal[] {
    return this.#found().flatMap(({ bootId, found }) => (bootId === this.#bootId ? [found] : []));
  }

  readPreviousBoots(): readonly FoundJournal[] {
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

  flush(): void {
    for (const file of this.#open.values()) file.flush();
  }

  removePreviousBoots(): void {
    for (const { path, bootId } of this.#found()) {
      if (bootId === this.#bootId) continue;
      try {
        unlinkSync(path);
      } catch (error) {
        // EROFS, or already removed. At worst the next start reports that outage again.
        this.#log.warning(
          `the journal ${path} of an earlier outage cannot be removed: ${errorMessage(error)}`,
        );
      }
    }
  }

  #journal(name: string, lines: readonly unknown[]): Journal {
    this.#open.get(name)?.retire();
    const file = new JournalFile(this.#pathOf(name), (error) => this.#logFailure(error), lines);
    this.#open.set(name, file);
    return { write: (record) => file.line(record) };
  }

  #pathOf(name: string): string {
    // A file name has at most 255 bytes; the first line contains the full name.
    const short = name.length <= 160 ? name : `${name.slice(0, 120)}-${digest(name)}`;
    return join(this.#directory, `${short}${suffix}`);
  }

  #found(): readonly { readonly path: string; readonly bootId: string; readonly found: FoundJournal }[] {
    let names: readonly string[];
    try {
      names = readdirSync(this.#directory);
    } catch {
      // No directory, no journals. A failure to create it was logged then.
      return [];
    }
    const paths = names.filter((file) => file.endsWith(suffix)).slice(0, maxJournals);
    return paths.flatMap((file) => {
      const path = join(this.#directory, file);
      const read = readLines(path);
      if (!read.ok) {
        this.#log.warning(
          `the journal ${path} cannot be used (${read.fault}): a sequence that only this journal contains is not resumed`,
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

  #logFailure(error: unknown): void {
    if (this.#errorLogged) return;
    this.#errorLogged = true;
    this.#log.error(
      `the journal in ${this.#directory} cannot be written (${errorMessage(error)}): the shutdown continues, but after a crash ` +
        'of the daemon finished steps would run again; free space in the runtime directory',
    );
  }
}

/** One file. After a failed write it rewrites the complete file as soon as possible: a tmpfs may have space again. */
class JournalFile {
  readonly #path: string;
  readonly #failed: (error: unknown) => void;
  readonly #lines: string[];
  /** Undefined: the file is missing or incomplete. */
  #descriptor: number | undefined;
  /** The file lacks a line whose write failed. */
  #isBehind = false;
  #isRetired = false;

  constructor(path: string, failed: (error: unknown) => void, lines: readonly unknown[] = []) {
    this.#path = path;
    this.#failed = failed;
    this.#lines = lines.map((line) => JSON.stringify(line));
  }

  /** Another journal takes the name. A late record of this one, from an abandoned step, must not overwrite it. */
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

  flush(): void {
    if (this.#isBehind) this.#write('');
  }

  /** Appends `line` to a complete file, else writes all lines. */
  #write(line: string): void {
    try {
      if (this.#descriptor === undefined) this.#descriptor = this.#rewrite();
      else writeAll(this.#descriptor, `${line}\n`);
      this.#isBehind = false;
    } catch (error) {
      // ENOSPC, EROFS, EMFILE and their like.
      this.#close();
      this.#isBehind = true;
      this.#failed(error);
    }
  }

  /** Writes a new file and renames it over the old one. It does not open the old one, which may be a FIFO. */
  #rewrite(): number {
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

/** Throws when a full disk takes only a part; the next write is then a rewrite. */
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

/** The lines of a file that are JSON: a crash or a full disk leaves a partial last line. */
function readLines(path: string): Lines {
  let descriptor: number | undefined;
  try {
    // Does not wait for the writer of a FIFO.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const about = fstatSync(descriptor);
    if (!about.isFile()) return { ok: false, fault: 'it is not a regular file' };
    if (about.size > maxBytes) return { ok: false, fault: 'it is too large for a journal' };
    return { ok: true, lines: journalLines(readFileSync(descriptor, 'utf8')) };
  } catch (error) {
    return { ok: false, fault: errorMessage(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export function journalLines(text: string): readonly unknown[] {
  return text.split('\n').flatMap(parsed);
}

function parsed(line: string): readonly unknown[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line)];
  } catch {
    // A partial line. Its content is unknown, and its step may run again.
    return [];
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
