// The addresses of services that speak an interface of their own over HTTP: Pushover, Matrix, Signal, Nextcloud Talk and an
// Apprise API server. As in service-address.ts, no message repeats a part of an address.
import type { Priorities } from './address-options.js';
import { parameterName, priorities } from './address-options.js';
import type { AddressParts, Credentials } from './address-parts.js';
import { parametersOf, place, repeatedIn } from './address-parts.js';

/** `url` is http:// or https:// and complete. */
export type MessengerAddress =
  | {
      readonly kind: 'pushover';
      readonly url: string;
      readonly user: string;
      readonly token: string;
      readonly device: string | null;
      readonly priorities: Priorities;
    }
  /** A message is PUT to `url`, a slash and its id. */
  | { readonly kind: 'matrix'; readonly url: string; readonly token: string }
  | {
      readonly kind: 'signal';
      readonly url: string;
      readonly from: string;
      readonly to: readonly string[];
      readonly credentials: Credentials | null;
    }
  | { readonly kind: 'nextcloud'; readonly url: string; readonly credentials: Credentials }
  | {
      readonly kind: 'apprise';
      readonly url: string;
      readonly tag: string | null;
      readonly credentials: Credentials | null;
    };

const expected = {
  pushover:
    'pushover://USER_KEY/API_TOKEN[/DEVICE][?priority=-2 to 2], or pover://USER_KEY@API_TOKEN[/DEVICE]',
  matrix: 'matrixs://ACCESS_TOKEN@HOST[:PORT]/!ROOM_ID:SERVER (the internal id of the room)',
  signal: 'signal://HOST[:PORT]/FROM_NUMBER/TO[/TO] (signals:// over TLS), numbers as +491701234567',
  nextcloud: 'nctalks://USER:PASSWORD@HOST[:PORT][/PATH]/ROOM_TOKEN',
  apprise: 'apprise+https://[USER:PASSWORD@]HOST[:PORT]/notify/KEY[?tag=TAG]',
} as const;

/** What cannot be read is a text of what was expected. */
type Address = MessengerAddress | string;

/** A scheme that ends with s is over TLS. */
const protocolOf = (scheme: string): string => (scheme.endsWith('s') ? 'https' : 'http');

const pushoverKey = /^[A-Za-z0-9]{30}$/;

/** `pover://USER_KEY@API_TOKEN` is the form of Apprise. */
export function pushover({
  scheme,
  user: login,
  password,
  authority,
  segments,
  query,
}: AddressParts): Address {
  // A server of one's own has a dot or a port, a key has neither.
  const own = scheme === 'pushover' && /[.:]/.test(authority);
  const host = own ? place(authority)?.text : 'api.pushover.net';
  const keys = [...(scheme === 'pover' ? [login ?? ''] : []), ...(own ? [] : [authority]), ...segments];
  const [user, token, device = null, ...more] = keys;
  if (scheme === 'pover' && password !== null) return expected.pushover;
  if (host === undefined || user === undefined || token === undefined || more.length > 0)
    return expected.pushover;
  if (!pushoverKey.test(user) || !pushoverKey.test(token)) return expected.pushover;
  if (device !== null && !/^[\w-]{1,25}$/.test(device)) return expected.pushover;
  const url = `https://${host}/1/messages.json`;
  return { kind: 'pushover', url, user, token, device, priorities: priorities('pushover', query) };
}

export function matrix({ scheme, authority, segments, user, password }: AddressParts): Address {
  const host = place(authority);
  const [room, ...more] = segments;
  if (host === undefined || user === null || user === '' || password !== null) return expected.matrix;
  if (room === undefined || more.length > 0 || !/^![^\s/]{1,200}$/.test(room)) return expected.matrix;
  if (!/^[\x21-\x7e]+$/.test(user)) return expected.matrix;
  const base = `${protocolOf(scheme)}://${host.text}/_matrix/client/v3`;
  return {
    kind: 'matrix',
    url: `${base}/rooms/${encodeURIComponent(room)}/send/m.room.message`,
    token: user,
  };
}

const telephone = /^\+\d{5,15}$/;

export function signal({ scheme, authority, segments, user, password }: AddressParts): Address {
  const host = place(authority);
  const [from, ...to] = segments;
  if (host === undefined || from === undefined || !telephone.test(from)) return expected.signal;
  const isRecipient = (one: string): boolean => telephone.test(one) || /^group\.[\w+/=-]{1,200}$/.test(one);
  if (to.length === 0 || to.length > 20 || !to.every(isRecipient)) return expected.signal;
  const credentials = user === null ? null : { user, password };
  const url = `${protocolOf(scheme)}://${host.text}/v2/send`;
  return { kind: 'signal', url, from, to, credentials };
}

export function nextcloud({ scheme, authority, segments, user, password }: AddressParts): Address {
  const host = place(authority);
  const room = segments.at(-1);
  if (host === undefined || user === null || password === null) return expected.nextcloud;
  if (room === undefined || !/^\w{1,64}$/.test(room)) return expected.nextcloud;
  // The address of a room is HOST/call/TOKEN, or HOST/index.php/call/TOKEN.
  const before = segments
    .slice(0, -1)
    .join('/')
    .replace(/(?:^|\/)(?:index\.php\/)?call$/, '')
    .split('/');
  const base = before
    .filter((segment) => segment !== '')
    .map((segment) => `/${encodeURIComponent(segment)}`)
    .join('');
  const server = `${protocolOf(scheme)}://${host.text}${base}`;
  const url = `${server}/ocs/v2.php/apps/spreed/api/v1/chat/${room}`;
  return { kind: 'nextcloud', url, credentials: { user, password } };
}

export function apprise({ scheme, authority, path, query, user, password }: AddressParts): Address {
  const host = place(authority);
  const url = `${scheme.slice('apprise+'.length)}://${host?.text ?? ''}${path}`;
  const given = parametersOf(query);
  const tag = given.get('tag');
  if (host === undefined || path.length < 2 || !URL.canParse(url)) return expected.apprise;
  const other = [...given.keys()].find((key) => key !== 'tag');
  if (other !== undefined) return `${expected.apprise}, without ${parameterName(other)}`;
  if (repeatedIn(given) !== undefined) return `${expected.apprise}, with ${parameterName('tag')} once`;
  const credentials = user === null ? null : { user, password };
  return { kind: 'apprise', url, tag, credentials };
}
