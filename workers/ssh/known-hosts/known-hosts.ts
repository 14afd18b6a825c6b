// The host keys of this process: the last content of every known_hosts file, in memory, so that no login waits for a disk.
// Appends new keys to the file; logs a key that the disk refuses and keeps it in memory.
import type { Logger } from '../../../shared/runtime/log.js';
import type { KnownHost } from './entries.js';
import { keyType, parseKnownHosts } from './entries.js';
import { appendLine, readLines } from './file.js';
import { fingerprint, verdictOf, knownTypes, lineFor } from './verdict.js';

export interface HostAddress {
  readonly host: string;
  readonly port: number;
  readonly knownHostsFile: string;
  /** `unstored`: a new key is accepted, and not stored. A machine in its initramfs has another than the one that it has once it is up. */
  readonly hostKeyPolicy: 'strict' | 'accept-new' | 'unstored';
}

export type KeyCheck =
  | { readonly accepted: true; readonly isNew: boolean }
  /** The meaning and the remedy, as text. */
  | { readonly accepted: false; readonly reason: string };

/** Longest wait for the first read of a file; a working disk takes 1 ms. */
const firstReadMs = 1_000;
/** Longest wait for a new read before a login: an operator may have corrected the file. */
const rereadMs = 100;
/** A hundred parallel logins read it once. */
const recentMs = 100;

interface CachedFile {
  entries: readonly KnownHost[];
  /** Keys that this process accepted and that are not on disk. */
  added: readonly KnownHost[];
  wasRead: boolean;
  /** Monotonic time of the end of the last read. */
  readAtMs: number;
  fault: string | null;
  reading: Promise<void> | null;
  /** Appends, in order. */
  writing: Promise<void>;
}

export class KnownHosts {
  readonly #log: Logger;
  readonly #files = new Map<string, CachedFile>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Reads the file again. Settles when that has succeeded or failed; joins a read under way. */
  refresh(path: string): Promise<void> {
    const file = this.#fileOf(path);
    file.reading ??= this.#read(path, file).finally(() => (file.reading = null));
    return file.reading;
  }

  /** Reads the file before a login if that is quick; otherwise uses the last content. */
  async freshen(path: string): Promise<void> {
    const file = this.#fileOf(path);
    if (file.wasRead && performance.now() - file.readAtMs < recentMs) return;
    await within(this.refresh(path), file.wasRead ? rereadMs : firstReadMs);
  }

  /** The known key types of the host. */
  typesOf({ host, port, knownHostsFile }: HostAddress): readonly string[] {
    const file = this.#fileOf(knownHostsFile);
    return knownTypes([...file.entries, ...file.added], host, port);
  }

  /** Checks the key of a host. `isNew`: store it once the host has proven that it owns it. */
  check(address: HostAddress, key: Buffer): KeyCheck {
    const { host, port, knownHostsFile: path, hostKeyPolicy } = address;
    const file = this.#fileOf(path);
    const fault = file.wasRead ? file.fault : (file.fault ?? 'could not be read yet');
    const where = `${host}:${String(port)}`;
    const shown = `${keyType(key)} ${fingerprint(key)}`;
    const verdict = verdictOf([...file.entries, ...file.added], host, port, key);
    switch (verdict) {
      case 'known':
        return { accepted: true, isNew: false };
      case 'revoked':
        return refuse(
          `the host key of ${where} (${shown}) is revoked in ${path}; nothing is sent to this server`,
        );
      case 'changed':
        return refuse(
          `THE HOST KEY OF ${where} HAS CHANGED: it is ${shown}, which is not the one in ${path}. This may be an attack ` +
            `on the connection, or the server was reinstalled; if so, remove the old key: ssh-keygen -R '${nameIn(host, port)}' -f ${path}`,
        );
      case 'unknown':
        if (hostKeyPolicy !== 'strict') return { accepted: true, isNew: hostKeyPolicy === 'accept-new' };
        return refuse(
          fault === null
            ? `the host key of ${where} (${shown}) is not in ${path}, and host_key_policy is "strict"; add it: ssh-keyscan -p ${String(port)} ${host} >> ${path}`
            : `the host key of ${where} cannot be checked: ${path} ${fault}, and host_key_policy is "strict"`,
        );
    }
  }

  /** Stores a new key, immediately in memory and in the background on disk. */
  remember({ host, port, knownHostsFile: path }: HostAddress, key: Buffer): void {
    const file = this.#fileOf(path);
    if (verdictOf([...file.entries, ...file.added], host, port, key) !== 'unknown') return;
    const line = lineFor(host, port, key);
    const added = parseKnownHosts(line);
    file.added = [...file.added, ...added];
    const shown = `${keyType(key)} ${fingerprint(key)}`;
    const where = `${host}:${String(port)}`;
    if (file.fault !== null)
      this.#log.error(
        `${path} ${file.fault}: it is not known whether the host key of ${where} (${shown}) has changed`,
      );
    file.writing = file.writing.then(async () => {
      const fault = await appendLine(path, line);
      if (fault === null) {
        // From here on the file decides, so that an operator can remove the key there.
        file.entries = [...file.entries, ...added];
        file.added = file.added.filter((entry) => !added.includes(entry));
        this.#log.info(`the host key of ${where} (${shown}) was new and is now in ${path}`);
      } else
        this.#log.error(
          `the host key of ${where} (${shown}) is new and was accepted, but ${path} ${fault}: ` +
            'until that is corrected, any key of this host is accepted after a restart',
        );
    });
  }

  async #read(path: string, file: CachedFile): Promise<void> {
    const read = await readLines(path);
    if (read.ok) file.entries = parseKnownHosts(read.text);
    else if (file.fault !== read.fault) this.#log.error(`${path} ${read.fault}; its last content is used`);
    file.wasRead ||= read.ok;
    file.readAtMs = performance.now();
    file.fault = read.ok ? null : read.fault;
  }

  #fileOf(path: string): CachedFile {
    let file = this.#files.get(path);
    if (file === undefined) {
      file = {
        entries: [],
        added: [],
        wasRead: false,
        readAtMs: 0,
        fault: null,
        reading: null,
        writing: Promise.resolve(),
      };
      this.#files.set(path, file);
    }
    return file;
  }
}

const refuse = (reason: string): KeyCheck => ({ accepted: false, reason });

const nameIn = (host: string, port: number): string => (port === 22 ? host : `[${host}]:${String(port)}`);

/** Settles with `job`, or after `ms` without it. */
async function within(job: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([job, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
