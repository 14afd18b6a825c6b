// Codecs for the kinds of values in a configuration file. The name of a codec is the "expected" part of an error message.
import { isIP } from 'node:net';
import * as t from 'io-ts';
import type { Checked } from '../../../shared/domain/base/checked.js';
import { integerFrom } from '../../../shared/domain/base/units.js';

/** The codec of a value that has only a name and a check. */
export function typeOf<A>(own: Checked<A>): t.Type<A> {
  if (own instanceof t.Type) return own as t.Type<A>;
  const { name, is } = own;
  return new t.Type<A>(name, is, (u, c) => (is(u) ? t.success(u) : t.failure(u, c)), t.identity);
}

/** A value without a fault; a fault is the message. */
export const faultless = <A>(name: string, faultOf: (u: unknown) => string | undefined): t.Type<A> =>
  new t.Type<A>(
    name,
    (u): u is A => faultOf(u) === undefined,
    (u, c) => {
      const fault = faultOf(u);
      return fault === undefined ? t.success(u as A) : t.failure(u, c, fault);
    },
    t.identity,
  );

/** A text that passes `test`; `name` is the expected form. */
export const textThat = (name: string, test: (text: string) => boolean): t.Type<string> =>
  typeOf({ name, is: (u): u is string => typeof u === 'string' && test(u) });

// oxlint-disable-next-line no-control-regex -- finding them is its purpose
const control = /[\u0000-\u001f\u007f]/;

/** True with a line break or another ASCII control character: no command and no secret may contain one. */
export const holdsControl = (text: string): boolean => control.test(text);

// No control characters in names, commands and paths: NUL would end an argument early, a line break would end a request
// to upsd.
// oxlint-disable-next-line no-control-regex -- finding them is its purpose
const isPrintable = (text: string): boolean => !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text);

export const line = (max: number): t.Type<string> =>
  textThat(
    `one line of text, at most ${String(max)} characters`,
    (text) => text.length <= max && isPrintable(text),
  );

export const filledLine = (max: number): t.Type<string> =>
  textThat(
    `one line of text, 1 to ${String(max)} characters`,
    (text) => text.trim() !== '' && text.length <= max && isPrintable(text),
  );

const isAbsolute = (text: string): boolean =>
  text.startsWith('/') && text.length <= 4096 && isPrintable(text) && !text.split('/').includes('..');

export const absolutePath = textThat('an absolute path (begins with "/", without "..")', isAbsolute);
export const absolutePathOrNone = textThat(
  'an absolute path (begins with "/", without "..") or ""',
  (text) => text === '' || isAbsolute(text),
);

export const ipAddress = textThat(
  'an IP address, such as "127.0.0.1" or "::1" (not a name)',
  (text) => isIP(text) !== 0,
);

export const network = textThat('an IP address or a range such as "192.0.2.0/24"', (text) => {
  const [, address = '', bits = '1'] = /^([^/]+)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && !address.includes('%') && Number(bits) <= (family === 4 ? 32 : 128);
});

const isDnsName = (text: string): boolean =>
  text.length <= 253 &&
  /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62})(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62}))*\.?$/.test(text);

/** A DNS name or an IP address, without a port. */
export const host = textThat(
  'a host name or IP address (without a port)',
  (text) => isDnsName(text) || isIP(text) !== 0,
);
export const dnsName = textThat('a host name without scheme, port and path', isDnsName);
export const port = integerFrom(1, 65535);

export const clockTime = textThat('a time of day such as "03:00"', (text) =>
  /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text),
);

export const calendarDate = textThat('a date such as "2024-05-31" or ""', (text) => {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return text === '';
  const date = new Date(`${text}T00:00:00Z`);
  return Number(match[1]) >= 1990 && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
});

/** A list of at most `max` values. Every invalid element is its own problem. */
export function listUpTo<A>(max: number, element: t.Type<A>, name?: string): t.Type<readonly A[]> {
  const list = t.readonlyArray(element);
  return new t.Type<readonly A[]>(
    name ?? `a list (each: ${element.name})`,
    (u): u is readonly A[] => list.is(u) && u.length <= max,
    (u, c) => {
      if (!Array.isArray(u)) return t.failure(u, c);
      if (u.length > max) {
        return t.failure(u, c, `expected at most ${String(max)} entries, found ${String(u.length)}`);
      }
      return list.validate(u, c);
    },
    t.identity,
  );
}

/** A short form (text) or a long form (a table). The problems are those of the form in the file. */
export function textOrTable<A>(text: t.Type<A, unknown>, long: t.Type<A, unknown>): t.Type<A> {
  return new t.Type<A>(
    `${text.name}, or a table`,
    (u): u is A => text.is(u) || long.is(u),
    (u, c) => (typeof u === 'string' ? text.validate(u, c) : long.validate(u, c)),
    t.identity,
  );
}
