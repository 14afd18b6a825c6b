// The authorities of this system. Node itself trusts a list it was built with, not what the administrator installed.
import { readFile } from 'node:fs/promises';

/** Where distributions keep them in one file: Debian and its like, Fedora and its like, SUSE, Alpine. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * The system's trust store and what `NODE_EXTRA_CA_CERTS` names, as PEM; null where the system has none: then Node's own
 * list counts. Read for every connection, so that an authority that was installed or withdrawn counts from the next on.
 */
export async function systemAuthorities(
  extra: string | undefined = process.env['NODE_EXTRA_CA_CERTS'],
  places: readonly string[] = bundles,
): Promise<string | null> {
  for (const place of places) {
    const store = await textOf(place);
    if (store === undefined) continue;
    return extra === undefined ? store : `${store}\n${(await textOf(extra)) ?? ''}`;
  }
  return null;
}

/** Undefined for a file that is not there, or not for us: one that trusts less than meant connects to nobody. */
function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
