// The parameters behind the ? of a service's address, and what of an address a service here does not get
// (specification/notifications.md#parts-of-an-address). No text of this file has a value of an address.
import type { AddressParts } from './address-parts.js';
import { parametersOf, repeatedIn } from './address-parts.js';

/** Of messages that may wait, and of safety events. */
export interface Priorities {
  readonly normal: number;
  readonly urgent: number;
}

interface Scale {
  readonly usual: Priorities;
  readonly least: number;
  readonly most: number;
  readonly names: Readonly<Record<string, number>>;
}

const scales = {
  /** 3 is the default, 5 overrides "do not disturb". */
  ntfy: {
    usual: { normal: 3, urgent: 5 },
    least: 1,
    most: 5,
    names: { min: 1, low: 2, default: 3, high: 4, max: 5, urgent: 5 },
  },
  /** Its application shows priorities from 4 on, and makes a sound from 8 on. The names are Apprise's. */
  gotify: {
    usual: { normal: 4, urgent: 8 },
    least: 0,
    most: 10,
    names: { low: 1, moderate: 3, normal: 5, high: 8, emergency: 10 },
  },
  /** 1 overrides the quiet hours of the telephone, 2 repeats until somebody answers. */
  pushover: {
    usual: { normal: 0, urgent: 1 },
    least: -2,
    most: 2,
    names: { lowest: -2, low: -1, normal: 0, high: 1, emergency: 2 },
  },
} as const satisfies Readonly<Record<string, Scale>>;

export function priorities(kind: keyof typeof scales, query: string): Priorities {
  const given = parametersOf(query);
  const { usual } = scales[kind];
  const level = (name: string): number | undefined => levelOf(scales[kind], given.get(name) ?? '');
  return { normal: level('priority') ?? usual.normal, urgent: level('urgent') ?? usual.urgent };
}

function levelOf({ names, least, most }: Scale, text: string): number | undefined {
  if (Object.hasOwn(names, text.toLowerCase())) return names[text.toLowerCase()];
  const level = /^-?\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return level >= least && level <= most ? level : undefined;
}

/** Of Telegram: the topic of a group with topics, and whether messages that may wait make no sound. */
export function telegramOptions(query: string): { readonly topic: number | null; readonly silent: boolean } {
  const given = parametersOf(query);
  return {
    topic: topicOf(given.get('topic') ?? given.get('thread') ?? '') ?? null,
    silent: switchOf(given.get('silent') ?? '') ?? false,
  };
}

function topicOf(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

function switchOf(text: string): boolean | undefined {
  if (/^(?:yes|true|1)$/i.test(text)) return true;
  return /^(?:no|false|0)$/i.test(text) ? false : undefined;
}

type Reader = (text: string) => unknown;

const levels = (kind: keyof typeof scales): Readonly<Record<string, Reader>> => {
  const reader = (text: string): number | undefined => levelOf(scales[kind], text);
  return { priority: reader, urgent: reader };
};

/** The parameters of each service; `all`: they are part of the URL and go to it as they are. */
const parameters: Readonly<Record<string, 'all' | Readonly<Record<string, Reader>>>> = {
  telegram: { topic: topicOf, thread: topicOf, silent: switchOf },
  ntfy: levels('ntfy'),
  gotify: levels('gotify'),
  pushover: levels('pushover'),
  matrix: {},
  signal: {},
  nextcloud: {},
  slack: {},
  /** Those of its webhooks; they stay in the URL. */
  discord: { thread_id: (text) => text, wait: (text) => text, with_components: (text) => text },
};
const withLogin = new Set(['ntfy', 'matrix', 'signal', 'nextcloud', 'mail', 'apprise', 'webhook']);

/** What the service does not get, in words; empty when it gets everything. */
export function unreadParts(kind: string, parts: AddressParts): readonly string[] {
  const unread: string[] = [];
  const takesLogin = withLogin.has(kind) || parts.scheme === 'pover';
  if (parts.user !== null && !takesLogin) unread.push('the user or password in front of the host');
  // An identifier of Slack has no dot; its webhook's own address may have a query.
  const known = kind === 'slack' && /[.:]/.test(parts.authority) ? 'all' : (parameters[kind] ?? 'all');
  if (known === 'all') return unread;
  const names = Object.keys(known).join(', ');
  const query = parametersOf(parts.query);
  const repeated = repeatedIn(query);
  if (repeated !== undefined) unread.push(`${parameterName(repeated)} the second time`);
  for (const [name, value] of query) {
    const reader = Object.hasOwn(known, name) ? known[name] : undefined;
    if (reader === undefined)
      unread.push(`${parameterName(name)} (${names === '' ? 'it has none' : `it has ${names}`})`);
    else if (reader(value) === undefined) unread.push(`the value of "${name}"`);
  }
  return unread;
}

/** A long or odd one may be a secret that stands in the wrong place. */
export function parameterName(name: string): string {
  return /^[a-z][a-z_-]{0,23}$/i.test(name) ? `the parameter "${name}"` : 'a parameter';
}
