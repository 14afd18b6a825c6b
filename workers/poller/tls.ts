// The handshake behind STARTTLS: who the server must prove to be, and the socket that comes of it.
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { connect } from 'node:tls';
import type { PollerSlice } from '../../shared/protocol/poller.js';
import type { Deadline } from './deadline.js';
import type { NutAnswer } from './errors.js';
import { answered, failed } from './errors.js';

export type TlsSettings = PollerSlice['tls'];

/**
 * Upgrades a socket on which nothing may arrive any more in plain text.
 * With a pin the certificate itself must match, with a CA its chain must hold; the name is checked unless the pin already
 * says which certificate it is. `required` with neither trusts the system's CAs; `opportunistic` with neither only encrypts.
 */
export function upgrade(
  socket: Socket,
  host: string,
  settings: TlsSettings,
  deadline: Deadline,
): Promise<NutAnswer<TLSSocket>> {
  return new Promise((resolve) => {
    // What happens to the socket below is told by the one above it; this only keeps its 'error' from being nobody's.
    socket.on('error', () => undefined);
    const secure = connect(tlsOptions(socket, host, settings));
    const end = (answer: NutAnswer<TLSSocket>): void => {
      clearTimeout(timer);
      if (!answer.ok) {
        secure.destroy();
        socket.destroy();
      }
      resolve(answer);
    };
    const timer = setTimeout(
      () => end(failed('TIMEOUT', `the TLS handshake did not end within ${String(deadline.totalMs)} ms`)),
      deadline.remainingMs,
    );
    // Stays for the life of the socket: an error after the handshake is told by the listeners of its new owner as well.
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

function tlsOptions(socket: Socket, host: string, settings: TlsSettings): ConnectionOptions {
  const { caPem, pinSha256 } = settings;
  const verifiesChain = caPem !== null || (settings.mode === 'required' && pinSha256 === null);
  return {
    socket,
    // The name the certificate must carry; SNI carries host names only (RFC 6066, section 3).
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(caPem === null ? {} : { ca: caPem }),
    rejectUnauthorized: verifiesChain,
    ...(pinSha256 === null ? {} : { checkServerIdentity: () => undefined }),
  };
}

/** SHA-256 of the whole certificate in hex, with or without colons, as `openssl x509 -fingerprint -sha256` prints it. */
function pinProblem(secure: TLSSocket, pin: string): string | undefined {
  const { raw } = secure.getPeerCertificate() as { raw?: Buffer };
  if (raw === undefined) return 'the server showed no certificate';
  const seen = createHash('sha256').update(raw).digest('hex');
  if (seen === pin.replaceAll(':', '').toLowerCase()) return undefined;
  return `the certificate is not the pinned one: its SHA-256 is ${seen}`;
}
