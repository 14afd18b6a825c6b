// A secret in the file: the text itself, or its source. Messages never show the value.
import type { Key, Secret } from '../../../shared/domain/base/keys.js';
import { faultless, holdsControl } from './values.js';

/** The text itself, or the file or environment variable with it (specification/configuration.md#secrets). */
export type SecretSource = string | { readonly file: string } | { readonly env: string };

const maxLength = 4096;
const hint = 'text, { file = "/path" } or { env = "NAME" }';

/** The reason why `value` cannot be a secret; undefined when it can. A line break would end a request to upsd. */
export function secretFault(value: string): string | undefined {
  if (value.length > maxLength) return `is longer than ${String(maxLength)} characters`;
  if (holdsControl(value)) return 'holds a line break or a control character';
  return undefined;
}

function faultOf(u: unknown): string | undefined {
  if (typeof u === 'string') {
    const fault = secretFault(u);
    return fault === undefined ? undefined : `the secret ${fault}`;
  }
  if (typeof u !== 'object' || u === null || Array.isArray(u)) return `expected ${hint}`;
  const [key, ...more] = Object.keys(u);
  if (more.length > 0 || (key !== 'file' && key !== 'env')) {
    return `expected exactly one of the keys "file" and "env"; a secret is ${hint}`;
  }
  const where = (u as Record<string, unknown>)[key];
  if (key === 'file') {
    const good = typeof where === 'string' && where.startsWith('/') && !holdsControl(where);
    return good ? undefined : '"file" must be an absolute path';
  }
  const good = typeof where === 'string' && /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(where);
  return good ? undefined : '"env" must be the name of an environment variable';
}

export const secretSource = faultless<SecretSource>(hint, faultOf);

/** Decided by the protocol or by the form of the message. */
const ownHeaders = /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect)$/i;
const maxHeaders = 20;

function headerFault(u: unknown): string | undefined {
  if (typeof u !== 'object' || u === null || Array.isArray(u)) return `expected a table: { NAME = ${hint} }`;
  const headers = Object.entries(u);
  if (headers.length > maxHeaders) return `expected at most ${String(maxHeaders)} headers`;
  for (const [name, value] of headers) {
    // RFC 9110, 5.6.2.
    if (!/^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(name)) return 'the name of a header is not valid';
    if (ownHeaders.test(name)) return `the header ${name} is set by the daemon`;
    const fault = faultOf(value);
    if (fault !== undefined) return `${name}: ${fault}`;
  }
  return undefined;
}

/** Headers of HTTP: each value is a secret. */
export const secretHeaders = faultless<Readonly<Record<string, SecretSource>>>(
  `a table: { NAME = ${hint} }`,
  headerFault,
);

/** Nothing of it may be shown. */
const whole: Secret = { several: false, evenShort: false, faultOf: () => undefined, hides: (text) => [text] };

type TextOf<A> = A extends SecretSource ? string : { readonly [N in keyof A]: string };

/** A key with a secret: in the program its text, once its source is read. */
export const secret = <A, D>(own: Key<A, D>, rules: Partial<Secret> = {}): Key<A, D, TextOf<A>, ''> => ({
  ...own,
  suffix: '',
  inProgram: (text) => text as TextOf<A>,
  secret: { ...whole, ...rules },
});
