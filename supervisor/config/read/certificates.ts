// Reads the CA certificates for NUT servers, together with the configuration. Pollers get them as text.
import { X509Certificate } from 'node:crypto';
import { readBounded } from './bounded-file.js';
import type { Findings } from '../check/findings.js';

/** The bundle of a distribution has about 250 KiB. */
const maxBytes = 1_048_576;
const block = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** The PEM text of `path`; null, with a problem, when it contains no valid certificate. */
export function readCertificates(path: string, findings: Findings): string | null {
  const read = readBounded(path, maxBytes);
  if (!read.ok) {
    findings.problem('nut.ca_file', `${path} ${read.fault}`);
    return null;
  }
  const blocks = read.text.match(block) ?? [];
  if (blocks.length === 0) {
    findings.problem('nut.ca_file', `${path} holds no certificate (-----BEGIN CERTIFICATE-----)`);
    return null;
  }
  const bad = blocks.findIndex((pem) => !isCertificate(pem));
  if (bad < 0) return blocks.join('\n') + '\n';
  findings.problem('nut.ca_file', `certificate ${String(bad + 1)} in ${path} cannot be read`);
  return null;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    // The message of OpenSSL does not help an operator.
    return false;
  }
}
