// The reason of a lost connection to the broker, as text. It continues "the broker ..." and has no address and no secret.

/** By the code of a system, TLS or resolver error. */
const byCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection: check that it runs, and the port',
  ECONNRESET: 'reset the connection',
  EPIPE: 'closed the connection',
  ENOTFOUND: 'has an unknown name: check the host in mqtt.broker',
  EAI_AGAIN: 'has a name that cannot be resolved now: check the DNS',
  ENETUNREACH: 'is in an unreachable network',
  EHOSTUNREACH: 'cannot be reached',
  ETIMEDOUT: 'does not answer',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet: check the clocks',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name than the host in mqtt.broker',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS on this port: check the port, or use mqtt://',
};
const untrusted =
  'has a certificate that this system does not trust: install its authority (update-ca-certificates), or set NODE_EXTRA_CA_CERTS';
for (const code of [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])
  Object.assign(byCode, { [code]: untrusted });

/** MQTT 3.1.1, 3.2.2.3: why a broker refuses the connection. */
const byReturnCode: Readonly<Record<number, string>> = {
  1: 'does not speak MQTT 3.1.1',
  2: 'does not accept the id of this client',
  3: 'reports that it is unavailable',
  4: 'refuses user name or password: check mqtt.username and mqtt.password',
  5: 'does not authorize this client: check mqtt.username and mqtt.password, and its access rules',
};

/** For an error of the library or a socket. Only its code is used. */
export function lossReason(error: unknown): string {
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return byReturnCode[code] ?? `refuses with the code ${String(code)}`;
  if (typeof code === 'string') return byCode[code] ?? `cannot be used (${code})`;
  return 'does not speak MQTT';
}
