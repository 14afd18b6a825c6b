// Judges the key of a host by its known_hosts lines. A changed key is never accepted.
import { createHash } from 'node:crypto';
import type { KnownHost } from './entries.js';
import { hostName, keyType, matchesName } from './entries.js';

export type HostKeyVerdict = 'known' | 'unknown' | 'changed' | 'revoked';

/** Host key types that this program can check; a host with other types only counts as unknown. */
const checkableTypes = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
] as const;

const isCheckable = (type: string): boolean => checkableTypes.some((known) => known === type);

/**
 * A host with a known key that shows another one has changed, also with another type: the known types are offered first
 * (`knownTypes`), so that an unchanged host uses one of them.
 */
export function verdictOf(
  entries: readonly KnownHost[],
  host: string,
  port: number,
  key: Buffer,
): HostKeyVerdict {
  const name = hostName(host, port);
  const about = entries.filter((entry) => isCheckable(entry.type) && matchesName(entry, name));
  const same = (entry: KnownHost): boolean => entry.type === keyType(key) && entry.key.equals(key);
  if (about.some((entry) => entry.marker === 'revoked' && same(entry))) return 'revoked';
  const plain = about.filter(({ marker }) => marker === 'none');
  if (plain.some(same)) return 'known';
  return plain.length > 0 ? 'changed' : 'unknown';
}

export function knownTypes(entries: readonly KnownHost[], host: string, port: number): readonly string[] {
  const name = hostName(host, port);
  const about = entries.filter((entry) => entry.marker === 'none' && matchesName(entry, name));
  return checkableTypes.filter((type) => about.some((entry) => entry.type === type));
}

/** As `ssh-keygen -l` prints it. */
export function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** The line for a new host: plain, never hashed, without markers. */
export function lineFor(host: string, port: number, key: Buffer): string {
  return `${hostName(host, port)} ${keyType(key)} ${key.toString('base64')}\n`;
}
