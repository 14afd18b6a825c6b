// Password hashes (specification/security.md#passwords): scrypt with logN 15, r 8, p 1, in the form of scrypt-kdf. A hash
// deliberately takes about 0.1 s, so the API computes one at a time in a thread.
import * as packaged from 'scrypt-kdf';

/** The package exports one class as its default; its types declare functions. */
const scrypt = (packaged as unknown as { readonly default: Pick<typeof packaged, 'kdf' | 'verify'> }).default;

const cost = { logN: 15, r: 8, p: 1 };

/** The hash of an unknown password, checked for a user that does not exist, so that both take the same time. */
export const decoyHash: Uint8Array = Buffer.from(
  'c2NyeXB0AA8AAAAIAAAAAVZR0+aA4ztUeOaKprUJRLs1Xb3Dw3jZGX6Wtd+c8HHEZw+ifaU0N+RLpevulk18adcAJZraXDNSQEv9Twk25qqF0t0SXUSSQOn2PLaM2l3f',
  'base64',
);

/** At least this many characters (specification/security.md#passwords). */
export const minPasswordLength = 8;
/** The API refuses longer ones before the check. */
export const maxPasswordLength = 1024;

export async function hashPassword(password: string): Promise<Buffer> {
  return Buffer.from(await scrypt.kdf(normalise(password), cost));
}

export function isPassword(password: string, hash: Uint8Array): Promise<boolean> {
  return scrypt.verify(hash, normalise(password));
}

/** Keyboards and systems encode the same letter in different ways (RFC 8265, 4.2). */
function normalise(password: string): string {
  return password.normalize('NFC');
}
