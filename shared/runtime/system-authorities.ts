// The certificate authorities of this system. Node trusts a built-in list and ignores those that the administrator installed.
import { readFile } from 'node:fs/promises';

/** The file of Debian and derivatives, Fedora and derivatives, SUSE, Alpine. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * The trust store of the system and the file of `NODE_EXTRA_CA_CERTS`, as PEM; null where the system has none: Node's list
 * then applies. Read for every connection, so that a change of the store takes effect with the next one.
 */
export async function systemAuthorities(): Promise<string | null> {
  const extra = process.env['NODE_EXTRA_CA_CERTS'];
  for (const place of bundles) {
    const store = await textOf(place);
    if (store === undefined) continue;
    return extra === undefined ? store : `${store}\n${(await textOf(extra)) ?? ''}`;
  }
  return null;
}

/** Undefined for a file that does not exist or is not readable: with fewer authorities a connection fails safe. */
function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
