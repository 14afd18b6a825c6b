// The TLS handshake after STARTTLS, with the checks of the certificate.
import { constants, createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { connect } from 'node:tls';
import type { PollerSettings } from '../../../shared/protocol/poller.js';
import type { Deadline } from './deadline.js';
import { whenOverdue } from './deadline.js';
import type { NutAnswer } from './errors.js';
import { answerOf, failureOf } from './errors.js';

export type TlsSettings = PollerSettings['tls'];

/**
 * Upgrades a socket on which no more plain text may arrive. With a pin the certificate must match and its name is not
 * checked; with a CA its chain and name must be valid. `required` with neither trusts the system's CAs; `opportunistic`
 * with neither only encrypts.
 */
export function upgrade(
  socket: Socket,
  host: string,
  settings: TlsSettings,
  deadline: Deadline,
): Promise<NutAnswer<TLSSocket>> {
  return new Promise((resolve) => {
    // The TLS socket reports errors of this one; the listener only prevents an uncaught 'error'.
    socket.on('error', () => undefined);
    const secure = connect(tlsOptions(socket, host, settings));
    const end = (answer: NutAnswer<TLSSocket>): void => {
      cancel();
      if (!answer.ok) {
        secure.destroy();
        socket.destroy();
      }
      resolve(answer);
    };
    const cancel = whenOverdue(deadline, () =>
      end(failureOf('TIMEOUT', `the TLS handshake did not end within ${String(deadline.totalMs)} ms`)),
    );
    // Stays for the life of the socket: an error after the handshake also reaches the listeners of the new owner.
    secure.on('error', (error: TlsError) => end(failureOf('TLS_FAILED', handshakeFailure(error, settings))));
    secure.once('close', () =>
      end(
        failureOf(
          'TLS_FAILED',
          `the server closed the connection during the TLS handshake${handshakeAdvice(settings)}`,
        ),
      ),
    );
    secure.once('secureConnect', () => {
      const wrong = settings.pinSha256 === null ? undefined : pinProblem(secure, settings.pinSha256);
      end(wrong === undefined ? answerOf(secure) : failureOf('TLS_FAILED', wrong));
    });
  });
}

/** A handshake with these settings proves the identity of the server. */
export function verifies({ mode, caPem, pinSha256 }: TlsSettings): boolean {
  return caPem !== null || pinSha256 !== null || mode === 'required';
}

/** A server whose identity is checked where it has TLS, and all of those that must have it. */
export function checksServer(settings: TlsSettings): boolean {
  return settings.mode !== 'opportunistic' || verifies(settings);
}

export function spokenVersions(settings: TlsSettings): string {
  return checksServer(settings) ? 'TLS 1.2 and 1.3' : 'TLS 1.0 to 1.3';
}

type TlsError = Error & { readonly code?: string; readonly reason?: string };

function handshakeFailure({ code = '', reason, message }: TlsError, settings: TlsSettings): string {
  // A certificate or name that does not match has an advice of its own.
  const advice = code.startsWith('ERR_SSL_') ? handshakeAdvice(settings) : '';
  return `the TLS handshake failed: ${reason ?? message.trim()}${advice}`;
}

function handshakeAdvice(settings: TlsSettings): string {
  const plain =
    settings.mode === 'required' ? '' : ', or set nut.tls = "off", with which it is read in plain text';
  return `; the daemon speaks ${spokenVersions(settings)}: update the NUT server${plain}`;
}

/**
 * Without verification TLS keeps only listeners out, and the alternative is plain text: the old versions, ciphers and keys of a
 * NAS are better than that. TLS 1.3 is chosen all the same where the server has it.
 */
const anyTls = {
  minVersion: 'TLSv1',
  ciphers: 'DEFAULT:@SECLEVEL=0',
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
} as const satisfies ConnectionOptions;

function tlsOptions(socket: Socket, host: string, settings: TlsSettings): ConnectionOptions {
  const { caPem, pinSha256, client } = settings;
  const verifiesChain = caPem !== null || (settings.mode === 'required' && pinSha256 === null);
  return {
    socket,
    // The name of the certificate; SNI has host names only (RFC 6066, section 3).
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(caPem === null ? {} : { ca: caPem }),
    ...(checksServer(settings) ? {} : anyTls),
    ...(client === null ? {} : { cert: client.certPem, key: client.keyPem }),
    rejectUnauthorized: verifiesChain,
    ...(pinSha256 === null ? {} : { checkServerIdentity: () => undefined }),
  };
}

/** SHA-256 of the certificate in hex, with or without colons, as `openssl x509 -fingerprint -sha256` prints it. */
function pinProblem(secure: TLSSocket, pin: string): string | undefined {
  const { raw } = secure.getPeerCertificate() as { raw?: Buffer };
  if (raw === undefined) return 'the server sent no certificate';
  const seen = createHash('sha256').update(raw).digest('hex');
  if (seen === pin.replaceAll(':', '').toLowerCase()) return undefined;
  return `the certificate is not the pinned one: its SHA-256 is ${seen}`;
}
