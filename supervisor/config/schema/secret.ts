// A secret in the file: the text itself, or its source. Messages never show the value.
import * as t from 'io-ts';
import type { Optional, Required, Secret } from '../../../shared/domain/base/keys.js';
import { optional, required } from '../../../shared/domain/base/keys.js';
import { holdsControl } from './values.js';

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

export const secretSource = new t.Type<SecretSource>(
  hint,
  (u): u is SecretSource => faultOf(u) === undefined,
  (u, c) => {
    const fault = faultOf(u);
    return fault === undefined ? t.success(u as SecretSource) : t.failure(u, c, fault);
  },
  t.identity,
);

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
export const secretHeaders = new t.Type<Readonly<Record<string, SecretSource>>>(
  `a table: { NAME = ${hint} }`,
  (u): u is Readonly<Record<string, SecretSource>> => headerFault(u) === undefined,
  (u, c) => {
    const fault = headerFault(u);
    return fault === undefined ? t.success(u as Record<string, SecretSource>) : t.failure(u, c, fault);
  },
  t.identity,
);

/** Nothing of it may be shown. */
const whole: Secret = { several: false, evenShort: false, faultOf: () => undefined, hides: (text) => [text] };

/** A secret that may be absent; the program gets its text. */
export const secret = <const D extends string | null>(
  fallback: D,
  rules: Partial<Secret> = {},
): Optional<SecretSource, D, string, ''> => ({
  ...optional<SecretSource, D>(secretSource, fallback),
  inProgram: (text) => text as string,
  secret: { ...whole, ...rules },
});
export const requiredSecret = (rules: Partial<Secret>): Required<SecretSource, string, ''> => ({
  ...required(secretSource),
  inProgram: (text) => text as string,
  secret: { ...whole, ...rules },
});
/** Several in one key: a list, or a table of headers. */
export const secrets = <A, P>(
  codec: t.Type<A>,
  fallback: A & P,
  rules: Partial<Secret>,
): Optional<A, A & P, P, ''> => ({
  ...optional<A, A & P>(codec, fallback),
  inProgram: (texts) => texts as unknown as P,
  secret: { ...whole, ...rules, several: true },
});
