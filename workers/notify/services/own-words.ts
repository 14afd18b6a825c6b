// What the far side itself says of a refusal: the sentence in its answer, cleaned, cut, and without any part of the address. It is
// text of a stranger: it goes into one line in quotation marks, and nothing is decided by it but where a service documents it.
import { truncate } from '../../../shared/domain/base/truncate.js';

/** Enough for a sentence; a message that names a fault has at most 1024 characters. */
const maxLength = 200;
/** A shorter part of an address would hide half of any sentence. */
const minMasked = 4;
const mark = '[…]';

/** Masks these in what the far side says. */
export type MaskedWords = readonly string[];

/** Every text of an address and of the headers, with its parts and spellings. */
export function secretsOf(address: unknown, headers: Readonly<Record<string, string>>): MaskedWords {
  const texts = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      Object.values(value).forEach(add);
      // As a header has them.
      if ('user' in value && 'password' in value) add(`${String(value.user)}:${String(value.password)}`);
    }
    if (typeof value !== 'string') return;
    for (const text of [value, ...value.split(/[/?&=:@,\s]+/)]) {
      texts.add(text);
      texts.add(encodeURIComponent(text));
      texts.add(Buffer.from(text).toString('base64').replace(/=+$/, ''));
    }
  };
  add(address);
  add(headers);
  // The kind of a service is no secret, and a word of its sentences.
  const kind = typeof address === 'object' && address !== null && 'kind' in address ? address.kind : '';
  return [...texts]
    .filter((text) => text.length >= minMasked && text !== kind && !plainWords.has(text.toLowerCase()))
    .sort((a, b) => b.length - a.length);
}

/** Parts of an address that every address has. */
const plainWords = new Set([
  'http',
  'https',
  'message',
  'messages',
  'services',
  'webhooks',
  'notify',
  'send',
]);

/** What looks like a mailbox, a name of Matrix (`@user:server`), a URL with its path, or a key. */
const mailbox = /[^\s<>"'(]+@[^\s<>"')]+|[@!#][\w.=+-]+:[\w.-]+/g;
const link = /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi;
const key = /\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{20,}/gi;

/** One line in quotation marks behind a colon; empty where nothing is left to say. */
export function ownWords(text: string, secrets: MaskedWords): string {
  let clean = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll('"', "'")
    .trim();
  for (const secret of secrets) clean = clean.replaceAll(secret, mark);
  clean = clean.replace(link, mark).replace(mailbox, mark).replace(key, mark);
  return /\p{L}/u.test(clean.replaceAll(mark, '')) ? `: "${truncate(clean, maxLength)}"` : '';
}

/** Where the services of docs/notifications.md put it: ntfy, Gotify, Matrix, Discord, Telegram, Nextcloud, Teams, Pushover, Signal. */
const fields = [
  'error',
  'errors',
  'errorDescription',
  'description',
  'message',
  'detail',
  'title',
  'ocs',
  'meta',
  'data',
];

/** The sentence in the body of an answer: of JSON the field that has it, of a page its title, else its first line. */
export function sentenceIn(body: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    const title = /<title[^>]*>([^<]*)</i.exec(body)?.[1];
    return title ?? (/^\s*</.test(body) ? '' : (body.trim().split('\n')[0] ?? ''));
  }
  return sentenceOf(parsed, 0);
}

/** Deeper than any of these services nests it. */
const maxDepth = 4;

function sentenceOf(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > maxDepth) return '';
  if (Array.isArray(value)) return value.map((one) => sentenceOf(one, depth + 1)).join('; ');
  const entries = value as Readonly<Record<string, unknown>>;
  const found = fields.map((field) =>
    Object.hasOwn(entries, field) ? sentenceOf(entries[field], depth + 1) : '',
  );
  // Gotify says "Unauthorized" in one field and the sentence in another: the longest says most.
  return found.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
}
