// The credential of a request, read from its raw headers: a parsed header hides that there were two of them.
import { valuesOf } from '../http/raw-headers.js';

/** Ours have 43 characters and a prefix; what is longer than this is nobody's. */
const longest = 128;

/**
 * What may be a session token or an API key, in the order in which it is tried (contract 1.4): of `Authorization: Bearer`,
 * then of `X-API-Key`. A header that comes twice, another scheme, or anything malformed gives none.
 */
export function credentialsOf(rawHeaders: readonly string[]): readonly string[] {
  const authorization = only(rawHeaders, 'authorization');
  const key = only(rawHeaders, 'x-api-key');
  if (authorization === undefined && key === undefined) return [];
  const bearer = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return [bearer, key].filter(
    (text): text is string => text !== undefined && text.length <= longest && /^[\w.~+/=-]+$/.test(text),
  );
}

function only(rawHeaders: readonly string[], name: string): string | undefined {
  const values = valuesOf(rawHeaders, name);
  return values.length === 1 ? values[0]?.trim() : undefined;
}
