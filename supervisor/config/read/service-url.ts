// The addresses of brokers and notification services: which schemes there are, and what in them is secret.
// Nothing here ever repeats an address: it is a secret itself.
import { addressParts } from '../../../shared/domain/address-parts.js';
import { serviceAddress } from '../../../shared/domain/service-address.js';

/** Why `url` names no broker; undefined when it does. */
export function brokerFault(url: string): string | undefined {
  const parsed = parse(url);
  const known = parsed !== undefined && ['mqtt:', 'mqtts:'].includes(parsed.protocol);
  // Port 0 is nobody's: a connection to it is refused for ever.
  if (!known || parsed.hostname === '' || parsed.port === '0') {
    return 'expected mqtt://HOST[:PORT] or mqtts://HOST[:PORT]';
  }
  return parsed.pathname.length > 1 || parsed.search !== '' || parsed.hash !== ''
    ? 'expected nothing behind the host and port of the broker'
    : undefined;
}

/** Why `url` names no notification service; undefined when it does. */
export function serviceFault(url: string): string | undefined {
  const parsed = serviceAddress(url);
  if (parsed.ok) return undefined;
  return `expected the address of a service: ${parsed.expected} (what was found is not shown)`;
}

/** The parts of `url` that are secret of themselves: the password, or the user where there is only one. */
export function credentialsIn(url: string): readonly string[] {
  const parsed = parse(url);
  if (parsed === undefined) return [];
  const { username, password } = parsed;
  const secret = password === '' ? username : password;
  if (secret === '') return [];
  return [...new Set([secret, decoded(secret)])];
}

/** Long, and no word such as `services`, which would be blotted out wherever the log uses it. */
const isKey = (text: string): boolean =>
  text.length >= 8 && !text.includes('.') && (/[\dA-Z]/.test(text) || text.length >= 20);
/** Where the place of the host holds an identifier or the token itself. */
const hostIsKey = ['discord', 'slack', 'telegram', 'tgram'];

/** The parts of a service's address that are secret of themselves: credentials, and what looks like a key. */
export function secretsOfService(url: string): readonly string[] {
  const parts = addressParts(url);
  if (parts === undefined) return [];
  const { scheme, user, password, authority, segments, query } = parts;
  const keys = [
    ...(hostIsKey.includes(scheme) ? [authority] : []),
    ...segments,
    ...(scheme.startsWith('webhook') ? new URLSearchParams(query).values() : []),
  ].filter(isKey);
  return [...new Set([password ?? user ?? '', ...keys])].filter((secret) => secret !== '');
}

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

/** A part of an address as it was meant: percent-encoding undone. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the text stands for itself.
    return text;
  }
}
