// The outcome of one delivery attempt, the same for every service. A fault never has any part of an address.
import { ProxyFault } from '../../../shared/runtime/outbound-request.js';

export type DeliveryFaultCode =
  /** No complete answer in time. */
  | 'TIMEOUT'
  | 'UNREACHABLE'
  | 'TLS_FAILED'
  /** The credentials are wrong. */
  | 'DENIED'
  /** No such service, channel or token at this address. */
  | 'WRONG_ADDRESS'
  /** It requests a later attempt. */
  | 'BUSY'
  | 'SERVICE_ERROR'
  /** It refuses this message; another message may pass. */
  | 'REFUSED'
  | 'NOT_UNDERSTOOD';

export interface SendFault {
  readonly code: DeliveryFaultCode;
  /** The fault and the remedy, as text. */
  readonly message: string;
  /** The pause that the service requests; null without one. */
  readonly retryAfterMs: number | null;
}

export type SendOutcome =
  /** `warning`: a problem in spite of the delivery, with the remedy; null without one. */
  { readonly ok: true; readonly warning: string | null } | { readonly ok: false; readonly fault: SendFault };

export const delivered: SendOutcome = { ok: true, warning: null };

export function failureOf(
  code: DeliveryFaultCode,
  message: string,
  retryAfterMs: number | null = null,
): SendOutcome {
  return { ok: false, fault: { code, message, retryAfterMs } };
}

const tlsCodes = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$|HOSTNAME_MISMATCH)/;

/** The certificate is of an authority that Node does not know; those of the system store are unknown to it too. */
const untrusted = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

const words: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name of its server cannot be resolved; check the address and the DNS',
  EAI_AGAIN: 'the name of its server cannot be resolved now; check the DNS',
  ECONNREFUSED: 'its server refuses the connection; check the port, and whether the service runs',
  ECONNRESET: 'its server closed the connection',
  EPIPE: 'its server closed the connection',
  ETIMEDOUT: 'its server cannot be reached',
  EHOSTUNREACH: 'there is no route to its server; check the network',
  ENETUNREACH: 'there is no route to its server; check the network',
  ENETDOWN: 'the network is down',
};

/** A fault of the network or of TLS, from an error of Node. Never repeats its message, which names hosts. */
export function networkFault(error: unknown): SendOutcome {
  if (error instanceof ProxyFault) return failureOf('UNREACHABLE', error.message);
  const code = codeOf(error);
  if (code.startsWith('HPE_'))
    return failureOf('NOT_UNDERSTOOD', 'the server at this address does not speak HTTP; check the address');
  if (tlsCodes.test(code)) {
    const advice = untrusted.test(code)
      ? 'for a certificate of your own authority set NODE_EXTRA_CA_CERTS in the environment of the daemon'
      : 'check its certificate, and whether this port speaks TLS';
    return failureOf('TLS_FAILED', `the encrypted connection failed (${code}); ${advice}`);
  }
  return failureOf(
    'UNREACHABLE',
    words[code] ?? `its server cannot be reached (${code === '' ? 'no reason given' : code})`,
  );
}

function codeOf(error: unknown): string {
  // Attempts at several addresses of one name fail together; the first error is enough.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
