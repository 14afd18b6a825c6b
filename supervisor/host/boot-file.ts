// A small file on tmpfs that is valid for one boot: what a restarted daemon must know again. Writes are synchronous: a commit
// comes before its command, and a tmpfs does not hang.
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writevSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errorMessage } from '../../shared/domain/base/error-message.js';
import type { Logger } from '../../shared/runtime/log.js';

const bootIdFile = '/proc/sys/kernel/random/boot_id';

/** The kernel's boot id; the variable gives tests another one. */
export function readBootId(): string {
  return readFileSync(process.env['RIDETHROUGH_BOOT_ID_FILE'] ?? bootIdFile, 'utf8').trim();
}

/** machine-id(5); empty where the system has none. The variable gives tests another one. */
export function readMachineId(): string {
  try {
    return readFileSync(process.env['RIDETHROUGH_MACHINE_ID_FILE'] ?? '/etc/machine-id', 'utf8')
      .trim()
      .slice(0, 128);
  } catch {
    return '';
  }
}

export interface BootFileOptions {
  readonly path: string;
  readonly bootId: string;
  readonly log: Logger;
  /** The field of the file that holds the content. */
  readonly field: string;
  /** A larger file is not read. */
  readonly maxBytes: number;
  /** In messages: the name of the file, and what it means for the operator when it cannot be read or written. */
  readonly words: { readonly name: string; readonly unread: string; readonly unwritten: string };
}

export class BootFile {
  readonly #options: BootFileOptions;
  #failed = false;

  constructor(options: BootFileOptions) {
    this.#options = options;
  }

  /** The content that was written in this boot as untrusted data, or null. Its monotonic times are valid: same boot, same clock. */
  read(): unknown {
    const { path, bootId, field, maxBytes, log, words } = this.#options;
    try {
      const file = JSON.parse(readRegular(path, maxBytes)) as unknown;
      if (typeof file !== 'object' || file === null || !('bootId' in file) || !(field in file))
        throw new Error(`no ${words.name}`);
      if (file.bootId === bootId) return file[field as keyof typeof file];
      log.info(`${path} is from before this boot: it is not used`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        log.warning(`the ${words.name} ${path} cannot be used (${errorMessage(error)}): ${words.unread}`);
    }
    return null;
  }

  /** False when the write failed, which is logged once. Never throws. */
  write(content: unknown): boolean {
    return this.writeJson([Buffer.from(JSON.stringify(content))]);
  }

  /** The same of content that is JSON already, in pieces. What could not be read again is not written, nor is what it replaces kept. */
  writeJson(content: readonly Buffer[]): boolean {
    const { path, bootId, field, maxBytes } = this.#options;
    const begin = `{"bootId":${JSON.stringify(bootId)},${JSON.stringify(field)}:`;
    const pieces = [Buffer.from(begin), ...content, Buffer.from('}')];
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    try {
      if (bytes > maxBytes) {
        rmSync(path, { force: true });
        const limit = `${String(bytes)} bytes, and at most ${String(maxBytes)} are read again`;
        return this.#unwritten(`it would have ${limit}`, '');
      }
      const directory = dirname(path);
      // The runtime directory may be missing. Its parent must stay open to the users of the workers.
      mkdirSync(dirname(directory), { recursive: true, mode: 0o755 });
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const next = `${path}.next`;
      writePieces(next, pieces);
      renameSync(next, path);
    } catch (error) {
      return this.#unwritten(errorMessage(error), '; free space in the runtime directory');
    }
    this.#failed = false;
    return true;
  }

  #unwritten(reason: string, advice: string): false {
    const { path, log, words } = this.#options;
    if (!this.#failed)
      log.warning(`the ${words.name} ${path} cannot be written (${reason}): ${words.unwritten}${advice}`);
    this.#failed = true;
    return false;
  }
}

/** No link is followed, and a FIFO is not waited for. */
function readRegular(path: string, maxBytes: number): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const about = fstatSync(file);
    if (!about.isFile()) throw new Error('not a file');
    if (about.size > maxBytes) throw new Error('too large');
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** writev(2) takes 1,024 pieces. */
const maxPieces = 1_000;

function writePieces(path: string, pieces: readonly Buffer[]): void {
  const file = openSync(path, 'w', 0o600);
  try {
    for (let begun = 0; begun < pieces.length; begun += maxPieces) {
      const some = pieces.slice(begun, begun + maxPieces);
      const written = writevSync(file, some);
      // The file system is full, as the rest will say.
      const rest = written < some.reduce((sum, { length }) => sum + length, 0);
      if (rest) writeFileSync(file, Buffer.concat(some).subarray(written));
    }
  } finally {
    closeSync(file);
  }
}
