// The journal on tmpfs: one file for a boot, with a line for each entry. Writes are synchronous, as for the snapshot. Nothing
// here throws: a sequence continues without its journal.
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { renameSync, unlinkSync, writeSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { errorMessage } from '../../../shared/domain/base/error-message.js';
import type { Logger } from '../../../shared/runtime/log.js';
import type { JournalEntry } from './entries.js';

/** The plans of 1,000 servers with their commands are far smaller; a larger file is not a journal. */
const maxBytes = 32 * 1024 * 1024;
/** One for each boot since a start could remove those before it. */
const maxJournals = 4_096;
const suffix = '.journal';
/** In the first line, and in that of the file. */
const name = 'shutdown';

/** Stores the journal: `JournalFiles`, or a simulated one. No method throws. Lines are untrusted data. */
export interface JournalStore {
  /** The entries of this boot. */
  read(): readonly unknown[];
  /** The entries of each other boot; their outages are over. */
  readPreviousBoots(): readonly (readonly unknown[])[];
  /** Replaces the entries of this boot. */
  begin(entries: readonly JournalEntry[]): void;
  /** Adds one to those of `begin`, or to those that were read. */
  write(entry: JournalEntry): void;
  /** Writes entries again whose write failed. A later entry would do the same, but the last one has no later entry. */
  flush(): void;
  removePreviousBoots(): void;
}

interface FoundFile {
  readonly path: string;
  readonly bootId: string;
  /** Untrusted data. */
  readonly records: readonly unknown[];
}

export class JournalFiles implements JournalStore {
  readonly #directory: string;
  readonly #bootId: string;
  readonly #log: Logger;
  #errorLogged = false;
  #file: JournalFile;

  constructor(directory: string, bootId: string, log: Logger) {
    this.#directory = directory;
    this.#bootId = bootId;
    this.#log = log;
    this.#file = this.#newFile([]);
  }

  read(): readonly unknown[] {
    const entries = this.#found().find(({ bootId }) => bootId === this.#bootId)?.records ?? [];
    this.#file.close();
    this.#file = this.#newFile(entries);
    return entries;
  }

  readPreviousBoots(): readonly (readonly unknown[])[] {
    const others = this.#found().filter(({ bootId }) => bootId !== this.#bootId);
    return [...new Map(others.map(({ bootId, records }) => [bootId, records])).values()];
  }

  begin(entries: readonly JournalEntry[]): void {
    this.#file.close();
    this.#file = this.#newFile(entries);
    this.#file.write();
  }

  write(entry: JournalEntry): void {
    this.#file.line(entry);
  }

  flush(): void {
    this.#file.flush();
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

  /** Each boot has its own file name: where the directory is on a disk, no boot replaces what another has left. */
  #newFile(entries: readonly unknown[]): JournalFile {
    const path = join(this.#directory, `${name}-${digest(this.#bootId)}${suffix}`);
    const first = { bootId: this.#bootId, name };
    return new JournalFile(path, (error) => this.#logFailure(error), [first, ...entries]);
  }

  #found(): readonly FoundFile[] {
    let files: readonly string[];
    try {
      files = readdirSync(this.#directory);
    } catch {
      // No directory, no journals. A failure to create it was logged then.
      return [];
    }
    const paths = files.filter((file) => file.endsWith(suffix)).slice(0, maxJournals);
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
      const { bootId, name: own } = first as Record<string, unknown>;
      return typeof bootId === 'string' && own === name ? [{ path, bootId, records }] : [];
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

  constructor(path: string, failed: (error: unknown) => void, lines: readonly unknown[]) {
    this.#path = path;
    this.#failed = failed;
    this.#lines = lines.map((line) => JSON.stringify(line));
  }

  line(content: unknown): void {
    const line = JSON.stringify(content);
    this.#lines.push(line);
    this.write(line);
  }

  flush(): void {
    if (this.#isBehind) this.write();
  }

  /** Appends `line` to a complete file, else writes all lines. */
  write(line?: string): void {
    try {
      if (this.#descriptor === undefined) this.#descriptor = this.#rewrite();
      else if (line !== undefined) writeAll(this.#descriptor, `${line}\n`);
      this.#isBehind = false;
    } catch (error) {
      // ENOSPC, EROFS, EMFILE and their like.
      this.close();
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

  close(): void {
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
  | { readonly ok: true; readonly lines: readonly unknown[] }
  | { readonly ok: false; readonly fault: string };

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
  return text.split('\n').flatMap(parseLine);
}

function parseLine(line: string): readonly unknown[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line)];
  } catch {
    // A partial line. Its content is unknown, and its step may run again.
    return [];
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
