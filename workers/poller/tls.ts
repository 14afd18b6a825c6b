// The TLS handshake after STARTTLS, with the checks of the certificate.
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { connect } from 'node:tls';
import type { PollerSettings } from '../../shared/protocol/poller.js';
import type { Deadline } from './deadline.js';
import { whenOverdue } from './deadline.js';
import type { NutAnswer } from './errors.js';
import { answered, failed } from './errors.js';

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
      end(failed('TIMEOUT', `the TLS handshake did not end within ${String(deadline.totalMs)} ms`)),
    );
    // Stays for the life of the socket: an error after the handshake also reaches the listeners of the new owner.
    secure.on('error', (error: Error) =>
      end(failed('TLS_FAILED', `the TLS handshake failed: ${error.message}`)),
    );
    secure.once('close', () =>
      end(failed('TLS_FAILED', 'the server closed the connection during the TLS handshake')),
    );
    secure.once('secureConnect', () => {
      const wrong = settings.pinSha256 === null ? undefined : pinProblem(secure, settings.pinSha256);
      end(wrong === undefined ? answered(secure) : failed('TLS_FAILED', wrong));
    });
  });
}

/** A handshake with these settings proves the identity of the server. */
export function verifies({ mode, caPem, pinSha256 }: TlsSettings): boolean {
  return caPem !== null || pinSha256 !== null || mode === 'required';
}

function tlsOptions(socket: Socket, host: string, settings: TlsSettings): ConnectionOptions {
  const { caPem, pinSha256, client } = settings;
  const verifiesChain = caPem !== null || (settings.mode === 'required' && pinSha256 === null);
  return {
    socket,
    // The name of the certificate; SNI has host names only (RFC 6066, section 3).
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(caPem === null ? {} : { ca: caPem }),
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
