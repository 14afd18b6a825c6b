// The certificate of a simulated upsd: given, or made at start with openssl, for 127.0.0.1 and localhost, for two days.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Certificate {
  readonly certPem: string;
  readonly keyPem: string;
}

/** Making an elliptic key takes milliseconds; more than this is a machine in trouble. */
const openSslMs = 10_000;

/** A new self-signed certificate; it is its own CA. Rejects when openssl is missing or fails. */
export async function makeCertificate(): Promise<Certificate> {
  const words =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost ' +
    '-addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout - -out -';
  const { stdout } = await promisify(execFile)('openssl', words.split(' '), { timeout: openSslMs });
  const part = (name: string): string =>
    new RegExp(`-----BEGIN ${name}-----[\\s\\S]+?-----END ${name}-----\n`).exec(stdout)?.[0] ?? '';
  const made = { certPem: part('CERTIFICATE'), keyPem: part('PRIVATE KEY') };
  if (made.certPem === '' || made.keyPem === '') throw new Error('openssl made no certificate');
  return made;
}
