// Reads the certificates of [nut]: the CAs for its servers, and what the daemon shows to them. Pollers get them as text.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readBounded } from './bounded-file.js';
import type { Findings } from '../check/findings.js';
import type { Configuration } from '../configuration/configuration.js';

/** The bundle of a distribution has about 250 KiB. */
const maxBytes = 1_048_576;
const block = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** The PEM text of `path`, the value of `key`; null, with a problem, when it contains no valid certificate. */
export function readCertificates(path: string, findings: Findings, key = 'nut.ca_file'): string | null {
  const read = readBounded(path, maxBytes);
  if (!read.ok) {
    findings.problem(key, `${path} ${read.fault}`);
    return null;
  }
  const blocks = read.text.match(block) ?? [];
  if (blocks.length === 0) {
    findings.problem(key, `${path} holds no certificate (-----BEGIN CERTIFICATE-----)`);
    return null;
  }
  const bad = blocks.findIndex((pem) => !isCertificate(pem));
  if (bad < 0) return blocks.join('\n') + '\n';
  findings.problem(key, `certificate ${String(bad + 1)} in ${path} cannot be read`);
  return null;
}

/** The certificate that servers may ask for, with its key; null, with a problem, when the two do not belong together. */
export function readClientCertificate(
  certFile: string,
  keyFile: string,
  findings: Findings,
): Configuration['nut']['client'] {
  const certPem = readCertificates(certFile, findings, 'nut.cert_file');
  const read = readBounded(keyFile, maxBytes);
  const problem = (message: string): null => {
    findings.problem('nut.key_file', `${keyFile} ${message}`);
    return null;
  };
  if (!read.ok) return problem(read.fault);
  if (read.readableByAll)
    findings.warning('nut.key_file', `every user may read this private key; run: chmod o-r ${keyFile}`);
  if (certPem === null) return null;
  if (/ENCRYPTED/.test(read.text))
    return problem(
      'is protected by a passphrase, which nobody can type at a start; write it without (openssl pkey)',
    );
  const certificate = new X509Certificate(certPem);
  try {
    if (!certificate.checkPrivateKey(createPrivateKey(read.text)))
      return problem(`is not the key of the certificate in ${certFile}`);
  } catch {
    return problem('holds no private key in PEM format (-----BEGIN PRIVATE KEY-----)');
  }
  if (Date.parse(certificate.validTo) < Date.now())
    findings.warning('nut.cert_file', `the certificate in ${certFile} expired on ${certificate.validTo}`);
  return { certPem, keyPem: read.text };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    // The message of OpenSSL does not help an operator.
    return false;
  }
}
