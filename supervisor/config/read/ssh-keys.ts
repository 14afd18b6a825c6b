// Reads the private keys for remote servers, together with the configuration; the SSH workers get them as text. An unusable
// key is a warning, never a problem: the other servers must still be shut down.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readBounded } from './bounded-file.js';
import type { Findings } from '../check/findings.js';
import { ownersOf } from '../check/findings.js';
import { serverLabel } from '../schema/labels.js';
import type { ConfigFile } from '../schema/file.js';
import { digestOf } from './secrets.js';

/** The key of one server: the text, or the reason why there is none. */
export interface SshKey {
  readonly privateKey: string | null;
  readonly keyWarning: string | null;
}

export interface SshKeys {
  /** By server name, which is unique in the file; only enabled servers. */
  readonly byServer: ReadonlyMap<string, SshKey>;
  /** Every line of every key: the log redacts them. */
  readonly redacted: readonly string[];
  /** A digest of each key by dotted path of the setting: shows that the content of a file has changed. */
  readonly digests: Readonly<Record<string, string>>;
}

/** The largest key, RSA of 16384 bits, has 13 KB. */
const maxBytes = 16_384;
/** Lines of a key have 64 or 70 characters; a shorter last line reveals nothing and may occur elsewhere in the log. */
const minRedactedChars = 16;

/** Reads the keys of all enabled servers of `file`, each file once. */
export function readSshKeys(file: ConfigFile, environment: NodeJS.ProcessEnv, findings: Findings): SshKeys {
  const known = new Map<string, SshKey & { readonly readableByAll: boolean }>();
  const read = (path: string) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const key = readKey(path);
    known.set(path, key);
    return key;
  };
  const byServer = new Map<string, SshKey>();
  const redacted = new Set<string>();
  const digests: Record<string, string> = {};
  for (const owner of ownersOf(file)) {
    for (const server of owner.servers) {
      if (server.enabled === false) continue;
      const path = `${serverLabel(owner.path, server.name)}.ssh_key_path`;
      const { privateKey, keyWarning, readableByAll } =
        server.ssh_key_path === undefined ? defaultKey(environment, read) : read(server.ssh_key_path);
      byServer.set(server.name, { privateKey, keyWarning });
      if (keyWarning !== null)
        findings.warning(path, `${keyWarning}; until then this server cannot be logged in to, nor shut down`);
      if (readableByAll) findings.warning(path, 'every user may read this private key; run: chmod 600 on it');
      if (privateKey === null) continue;
      digests[path] = digestOf(privateKey);
      for (const line of linesOfKey(privateKey)) redacted.add(line);
    }
  }
  return { byServer, redacted: [...redacted], digests };
}

/** The lines of a key that the log must redact. */
export function linesOfKey(privateKey: string): readonly string[] {
  const lines = privateKey.split('\n').map((text) => text.trim());
  return lines.filter((line) => line.length >= minRedactedChars && !line.startsWith('-----'));
}

type Read = SshKey & { readonly readableByAll: boolean };

/** The first existing default key of OpenSSH, of the user that starts the daemon. */
function defaultKey(environment: NodeJS.ProcessEnv, read: (path: string) => Read): Read {
  const home = environment['HOME'] ?? homeOfUser();
  const [first, second] = ['id_ed25519', 'id_rsa'].map((name) => join(home, '.ssh', name)) as [
    string,
    string,
  ];
  const key = read(first);
  if (key.privateKey !== null) return key;
  const other = read(second);
  if (other.privateKey !== null) return other;
  if (!key.keyWarning?.includes('does not exist')) return key;
  if (!other.keyWarning?.includes('does not exist')) return other;
  const keyWarning = `there is neither ${first} nor ${second}; make a key (ssh-keygen -t ed25519 -N '' -f ${first}) or give ssh_key_path`;
  return { privateKey: null, keyWarning, readableByAll: false };
}

function homeOfUser(): string {
  try {
    return homedir();
  } catch {
    // A number without a name, as in a container.
    return '/';
  }
}

function readKey(path: string): Read {
  const file = readBounded(path, maxBytes);
  const fault = file.ok ? keyFault(file.text) : file.fault;
  if (!file.ok || fault !== undefined)
    return { privateKey: null, keyWarning: `the key ${path} ${fault ?? ''}`, readableByAll: false };
  return { privateKey: file.text, keyWarning: null, readableByAll: file.readableByAll };
}

const protectedAdvice =
  'is protected by a passphrase, which nobody can type in an outage; make one without for this daemon (ssh-keygen -t ed25519 -N "" -f FILE)';

/** The reason why `text` is not a private key that works without an operator; undefined when it looks like one. */
export function keyFault(text: string): string | undefined {
  const kind = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1];
  if (/^PuTTY-User-Key-File-/.test(text))
    return /^Encryption: none\r?$/m.test(text) ? undefined : protectedAdvice;
  if (kind === 'ENCRYPTED PRIVATE KEY' || text.includes('Proc-Type: 4,ENCRYPTED')) return protectedAdvice;
  if (kind === 'PRIVATE KEY')
    return 'is in PKCS#8 format; convert it to the format of OpenSSH: ssh-keygen -p -P "" -N "" -f FILE';
  if (kind === 'OPENSSH PRIVATE KEY') return cipherOf(text) === 'none' ? undefined : protectedAdvice;
  if (kind === 'RSA PRIVATE KEY' || kind === 'EC PRIVATE KEY') return undefined;
  if (/^(ssh-|ecdsa-|sk-)/.test(text)) return 'is a public key; give the private one (the file without .pub)';
  return 'holds no private key (-----BEGIN OPENSSH PRIVATE KEY-----)';
}

/** The cipher of a key in OpenSSH's format (PROTOCOL.key): "none" without a passphrase. */
function cipherOf(text: string): string {
  const body = text.replace(/-----[^-]*-----/g, '');
  const bytes = Buffer.from(body, 'base64');
  const magic = 'openssh-key-v1\0';
  if (bytes.length < magic.length + 4 || bytes.toString('latin1', 0, magic.length) !== magic) return 'none';
  const length = bytes.readUInt32BE(magic.length);
  return bytes.toString('latin1', magic.length + 4, magic.length + 4 + Math.min(length, 64));
}
