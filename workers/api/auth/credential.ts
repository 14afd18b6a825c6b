// Reads the credential of a request from its raw headers: parsed headers hide a repeated one.
import { sessionHeader } from '../../../shared/domain/status/session-header.js';
import { valuesOf } from '../http/raw-headers.js';

/** Longer than any valid credential (a prefix and 43 characters). */
const maxCredentialLength = 128;

/**
 * Candidates for a session token or an API key, in the order in which they are tried (specification/api.md#credentials):
 * the page's own header, `Authorization: Bearer`, `X-API-Key`. A header that comes twice, another scheme or a malformed value
 * gives none.
 */
export function credentialsOf(rawHeaders: readonly string[]): readonly string[] {
  const page = only(rawHeaders, sessionHeader);
  const authorization = only(rawHeaders, 'authorization');
  const key = only(rawHeaders, 'x-api-key');
  if (page === undefined && authorization === undefined && key === undefined) return [];
  const bearer = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return [page, bearer, key].filter(
    (text): text is string =>
      text !== undefined && text.length <= maxCredentialLength && /^[\w.~+/=-]+$/.test(text),
  );
}

function only(rawHeaders: readonly string[], name: string): string | undefined {
  const values = valuesOf(rawHeaders, name);
  return values.length === 1 ? values[0]?.trim() : undefined;
}
