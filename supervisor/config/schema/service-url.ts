// The addresses of brokers and notification services: valid forms, and the parts that are secret. Messages never repeat an
// address: the address itself is a secret.
import { addressParts } from '../../../shared/domain/services/address-parts.js';
import { serviceAddress } from '../../../shared/domain/services/service-address.js';

/** The reason why `url` is not the address of a broker; undefined when it is. */
export function brokerFault(url: string): string | undefined {
  const parsed = parse(url);
  const known = parsed !== undefined && ['mqtt:', 'mqtts:'].includes(parsed.protocol);
  // A connection to port 0 never succeeds.
  if (!known || parsed.hostname === '' || parsed.port === '0') {
    return 'expected mqtt://HOST[:PORT] or mqtts://HOST[:PORT]';
  }
  return parsed.pathname.length > 1 || parsed.search !== '' || parsed.hash !== ''
    ? 'expected nothing behind the host and port of the broker'
    : undefined;
}

/** The reason why `url` is not an address for heartbeats; undefined when it is. */
export function heartbeatFault(url: string): string | undefined {
  const parsed = parse(url);
  const known = parsed !== undefined && ['http:', 'https:'].includes(parsed.protocol);
  return known && parsed.hostname !== '' && parsed.port !== '0' && !/[^\x21-\x7e]/.test(url)
    ? undefined
    : 'expected http://HOST[:PORT]/PATH or https://HOST[:PORT]/PATH (what was found is not shown)';
}

/** The reason why `url` is not the address of a notification service; undefined when it is. */
export function serviceFault(url: string): string | undefined {
  const parsed = serviceAddress(url);
  if (parsed.ok) return undefined;
  return `expected the address of a service: ${parsed.expected} (what was found is not shown)`;
}

/** The secret parts of `url`: the password, or the user name when there is no password. */
export function credentialsIn(url: string): readonly string[] {
  const parsed = parse(url);
  if (parsed === undefined) return [];
  const { username, password } = parsed;
  const secret = password === '' ? username : password;
  if (secret === '') return [];
  return [...new Set([secret, decodePart(secret)])];
}

/** Long, and not a word such as `services`, which the log would then redact everywhere. */
export const isKey = (text: string): boolean =>
  text.length >= 8 && !text.includes('.') && (/[\dA-Z]/.test(text) || text.length >= 20);
/** Schemes with an identifier or a token in place of the host. */
const hostIsKey = ['discord', 'slack', 'telegram', 'tgram', 'pushover', 'pover'];

/** The secret parts of a service's address: credentials, and parts that look like a key. */
export function secretsOfService(url: string): readonly string[] {
  const parts = addressParts(url);
  if (parts === undefined) return [];
  const { scheme, user, password, authority, segments, query } = parts;
  const keys = [
    ...(hostIsKey.includes(scheme) ? [authority] : []),
    ...segments,
    ...(scheme.startsWith('webhook') || scheme === 'teams' ? new URLSearchParams(query).values() : []),
  ].filter(isKey);
  return [...new Set([password ?? user ?? '', ...keys])].filter((secret) => secret !== '');
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

/** A part of an address without percent-encoding. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A single percent sign: the text is not encoded.
    return text;
  }
}
