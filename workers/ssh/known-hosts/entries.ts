// Parses a known_hosts file (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT) and finds the lines of a host.
import { createHmac } from 'node:crypto';

export interface KnownHost {
  readonly marker: 'none' | 'revoked' | 'cert-authority';
  /** Names as in the file: plain, with wildcards, negated, or hashed. */
  readonly patterns: readonly string[];
  /** The key type, as `ssh-ed25519`. */
  readonly type: string;
  readonly key: Buffer;
}

/** Longer than any line of OpenSSH, whose limit for a key is 16 KiB. */
const maxLineLength = 65_536;

/** The valid lines of `text`; invalid ones are skipped, as by OpenSSH. */
export function parseKnownHosts(text: string): readonly KnownHost[] {
  return text.split('\n').flatMap((line) => {
    const entry = line.length > maxLineLength ? undefined : parseLine(line.trim());
    return entry === undefined ? [] : [entry];
  });
}

function parseLine(line: string): KnownHost | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  const words = line.split(/[ \t]+/);
  const marked = words[0]?.startsWith('@') ? words.shift() : undefined;
  const marker = marked === undefined ? 'none' : marked === '@revoked' ? 'revoked' : 'cert-authority';
  if (marked !== undefined && marked !== '@revoked' && marked !== '@cert-authority') return undefined;
  const [names, type, encoded] = words;
  if (names === undefined || type === undefined || encoded === undefined) return undefined;
  const key = Buffer.from(encoded, 'base64');
  // The key contains the type too; where the two differ, the line is invalid.
  if (keyType(key) !== type) return undefined;
  return { marker, patterns: names.split(','), type, key };
}

/** The type of a public key; empty when it is not one. */
export function keyType(key: Buffer): string {
  if (key.length < 4) return '';
  const length = key.readUInt32BE(0);
  return length > 64 || key.length < 4 + length ? '' : key.toString('latin1', 4, 4 + length);
}

/** The name of a host in the file, with its port unless that is 22. */
export function hostName(host: string, port: number): string {
  const plain = host.toLowerCase().replace(/\.$/, '');
  return port === 22 ? plain : `[${plain}]:${String(port)}`;
}

/** True when the line applies to `name`, in the form of `hostName`. A negated name that matches excludes the line. */
export function matchesName(entry: KnownHost, name: string): boolean {
  let found = false;
  for (const pattern of entry.patterns) {
    const negated = pattern.startsWith('!');
    if (!matches(negated ? pattern.slice(1) : pattern, name)) continue;
    if (negated) return false;
    found = true;
  }
  return found;
}

function matches(pattern: string, name: string): boolean {
  if (pattern.startsWith('|1|')) return matchesHash(pattern, name);
  return matchesWildcards(pattern.toLowerCase(), name);
}

/** `|1|salt|hash`: the name's HMAC-SHA1 under the salt. */
function matchesHash(pattern: string, name: string): boolean {
  const [, , salt, hash] = pattern.split('|');
  if (salt === undefined || hash === undefined) return false;
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash;
}

/** `*` stands for any characters and `?` for one. Linear time for every pattern. */
function matchesWildcards(pattern: string, name: string): boolean {
  let at = 0;
  let in_ = 0;
  let star = -1;
  let resume = 0;
  while (in_ < name.length) {
    if (pattern[at] === '*') {
      star = at++;
      resume = in_;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[in_])) {
      at += 1;
      in_ += 1;
    } else if (star >= 0) {
      at = star + 1;
      in_ = ++resume;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
