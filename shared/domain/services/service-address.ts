// The addresses of notification services and their parts (specification/notifications.md#services). An address is a
// secret: no message of this file repeats a part of one.
import type { Priorities } from './address-options.js';
import { priorities, telegramOptions, unreadParts } from './address-options.js';
import type { AddressParts, Credentials } from './address-parts.js';
import { addressParts, place } from './address-parts.js';
import type { MailAddress } from './mail-address.js';
import { mailAddress } from './mail-address.js';
import type { MessengerAddress } from './messenger-addresses.js';
import { apprise, matrix, nextcloud, pushover, signal } from './messenger-addresses.js';

/** The destination of a message. `url` is http:// or https:// and complete. */
export type ServiceAddress =
  | { readonly kind: 'discord'; readonly url: string }
  | { readonly kind: 'slack'; readonly url: string }
  | {
      readonly kind: 'telegram';
      readonly url: string;
      readonly chat: string;
      readonly topic: number | null;
      /** Messages that may wait make no sound. */
      readonly silent: boolean;
    }
  | {
      readonly kind: 'ntfy';
      readonly url: string;
      readonly topic: string;
      readonly credentials: Credentials | null;
      readonly priorities: Priorities;
    }
  | {
      readonly kind: 'gotify';
      readonly url: string;
      readonly token: string;
      readonly priorities: Priorities;
    }
  | { readonly kind: 'teams'; readonly url: string }
  | { readonly kind: 'webhook'; readonly url: string; readonly credentials: Credentials | null }
  | MessengerAddress
  | MailAddress;

export type ParsedAddress =
  | {
      readonly ok: true;
      readonly address: ServiceAddress;
      /** Parts that the service does not get, in words without a value of theirs. */
      readonly unread: readonly string[];
    }
  /** `expected` describes the form of such an address, without any part of the given one. */
  | { readonly ok: false; readonly expected: string };

const expected = {
  discord: 'discord://WEBHOOK_ID/TOKEN, or the address of the webhook with discord:// in place of https://',
  // Slack's documentation writes the three parts of a webhook like this; the X stand for the secret one.
  slack: 'slack://T000/B000/TOKEN, or the address of the webhook with slack:// in place of https://',
  telegram: 'telegram://BOT_TOKEN/CHAT_ID[:TOPIC][?silent=yes] (one chat for each address)',
  ntfy: 'ntfys://[TOKEN@|USER:PASSWORD@]HOST[:PORT]/TOPIC, or ntfys://TOPIC for ntfy.sh; ?priority=1 to 5',
  gotify: 'gotify://HOST[:PORT][/PATH]/TOKEN[?priority=0 to 10] (gotifys:// over TLS)',
  teams:
    'teams://HOST/PATH?QUERY: the address of the webhook of a workflow with teams:// in place of https://',
  webhook: 'webhook+https://[USER:PASSWORD@]HOST[:PORT]/PATH',
} as const;

const readers: Readonly<Record<string, (parts: AddressParts) => ServiceAddress | string>> = {
  discord,
  slack,
  telegram,
  tgram: telegram,
  ntfy,
  ntfys: ntfy,
  gotify,
  gotifys: gotify,
  pushover,
  pover: pushover,
  matrix,
  matrixs: matrix,
  teams,
  signal,
  signals: signal,
  nctalk: nextcloud,
  nctalks: nextcloud,
  mailto: mailAddress,
  mailtos: mailAddress,
  'apprise+https': apprise,
  'apprise+http': apprise,
  'webhook+https': webhook,
  'webhook+http': webhook,
};

/** Every scheme, in the order of specification/notifications.md#services. */
const serviceSchemes = Object.keys(readers);

/** Reads the address of a service. Never throws. */
export function serviceAddress(url: string): ParsedAddress {
  const parts = addressParts(url);
  const reader =
    parts !== undefined && Object.hasOwn(readers, parts.scheme) ? readers[parts.scheme] : undefined;
  if (parts === undefined || reader === undefined) {
    const all = serviceSchemes.map((name) => `${name}://`).join(', ');
    return { ok: false, expected: parts === undefined ? (formOf(url) ?? all) : all };
  }
  const address = reader(parts);
  if (typeof address === 'string') return { ok: false, expected: address };
  return { ok: true, address, unread: unreadParts(address.kind, parts) };
}

/** For a text that is no address, but begins as one of a service does. */
function formOf(url: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase() ?? '';
  const reader = Object.hasOwn(readers, scheme) ? readers[scheme] : undefined;
  const empty = { user: null, password: null, authority: '', path: '', segments: [], query: '' };
  const form = reader?.({ scheme, ...empty });
  if (typeof form !== 'string') return undefined;
  if (url.includes('#')) return `${form}, without "#" (in a name it is written %23)`;
  return /[^\x21-\x7e]/.test(url)
    ? `${form}, without spaces and letters outside ASCII (they are percent-encoded)`
    : form;
}

/** The name of the service for messages: `ntfy`. */
export function serviceKind(url: string): ServiceAddress['kind'] | 'service' {
  const parsed = serviceAddress(url);
  return parsed.ok ? parsed.address.kind : 'service';
}

/** The address of the webhook itself: a host has a dot or a port, an identifier of Discord or Slack has neither. */
function wholeAddress({ authority, path, query }: AddressParts): string | undefined {
  if (!/[.:]/.test(authority)) return undefined;
  const host = place(authority);
  return host === undefined || path.length < 2 ? undefined : `https://${host.text}${path}${query}`;
}

function discord(parts: AddressParts): ServiceAddress | string {
  const whole = wholeAddress(parts);
  if (whole !== undefined) return { kind: 'discord', url: whole };
  const [token, ...more] = parts.segments;
  if (!isWord(parts.authority) || token === undefined || !isWord(token) || more.length > 0)
    return expected.discord;
  const url = `https://discord.com/api/webhooks/${parts.authority}/${token}${parts.query}`;
  return { kind: 'discord', url };
}

function slack(parts: AddressParts): ServiceAddress | string {
  const whole = wholeAddress(parts);
  if (whole !== undefined) return { kind: 'slack', url: whole };
  const tokens = [parts.authority, ...parts.segments];
  if (tokens.length !== 3 || !tokens.every(isWord)) return expected.slack;
  return { kind: 'slack', url: `https://hooks.slack.com/services/${tokens.join('/')}` };
}

function teams(parts: AddressParts): ServiceAddress | string {
  const whole = wholeAddress(parts);
  return whole === undefined ? expected.teams : { kind: 'teams', url: whole };
}

/** `123456:ABC` as BotFather gives it; a private Bot API server is written telegram://HOST/botTOKEN/CHAT. */
const botToken = /^\d+:[\w-]+$/;

function telegram({ authority, segments, query }: AddressParts): ServiceAddress | string {
  const own = segments[0]?.startsWith('bot') === true && segments.length === 2;
  const host = own ? place(authority)?.text : 'api.telegram.org';
  const token = (own ? segments[0] : authority)?.replace(/^bot/, '');
  const [chat, ...more] = own ? segments.slice(1) : segments;
  if (host === undefined || token === undefined || !botToken.test(token)) return expected.telegram;
  // CHAT:TOPIC, and a name without its @, as Apprise has them.
  const [, id, name = '', topic] = /^(?:(-?\d+)|@?([a-z_]\w+))(?::([1-9]\d{0,14}))?$/i.exec(chat ?? '') ?? [];
  if ((id ?? name) === '' || more.length > 0) return expected.telegram;
  const url = `https://${host}/bot${token}/sendMessage`;
  const options = telegramOptions(query);
  return {
    kind: 'telegram',
    url,
    chat: id ?? `@${name}`,
    ...options,
    topic: topic === undefined ? options.topic : Number(topic),
  };
}

function ntfy({ scheme, authority, segments, query, user, password }: AddressParts): ServiceAddress | string {
  const alone = segments.length === 0;
  const host = alone ? 'ntfy.sh' : place(authority)?.text;
  const topic = alone ? authority : segments[0];
  if (host === undefined || segments.length > 1) return expected.ntfy;
  if (topic === undefined || !/^[\w-]{1,64}$/.test(topic)) return expected.ntfy;
  const credentials = user === null ? null : { user, password };
  const url = `${scheme === 'ntfys' || alone ? 'https' : 'http'}://${host}/`;
  return { kind: 'ntfy', url, topic, credentials, priorities: priorities('ntfy', query) };
}

function gotify({ scheme, authority, segments, query }: AddressParts): ServiceAddress | string {
  const host = place(authority);
  const token = segments.at(-1);
  if (host === undefined || token === undefined || !/^[\w.-]+$/.test(token)) return expected.gotify;
  const base = segments
    .slice(0, -1)
    .map((segment) => `/${encodeURIComponent(segment)}`)
    .join('');
  const secure = scheme === 'gotifys' || host.port === 443;
  const url = `${secure ? 'https' : 'http'}://${host.text}${base}/message`;
  return { kind: 'gotify', url, token, priorities: priorities('gotify', query) };
}

function webhook({ scheme, authority, path, query, user, password }: AddressParts): ServiceAddress | string {
  const host = place(authority);
  const url = `${scheme.slice('webhook+'.length)}://${host?.text ?? ''}${path}${query}`;
  if (host === undefined || !URL.canParse(url)) return expected.webhook;
  const credentials = user === null ? null : { user, password };
  return { kind: 'webhook', url, credentials };
}

function isWord(text: string): boolean {
  return /^[\w-]+$/.test(text);
}
