// Removes secrets from records before they are formatted: every literal secret of the configuration in its possible
// encodings, and everything that looks like a credential.
import type { LogRecord } from '../../shared/domain/status/log-record.js';

export type Redact = (record: LogRecord) => LogRecord;

const mark = '[redacted]';

/** `scheme://user:password@host`: everything between the slashes and the last `@` of the authority. */
const urlCredentials = /\b([a-z][a-z0-9+.-]{0,31}:\/\/)[^\s/?#"'<>]*@/gi;
/** The value of an Authorization header in any text. */
const bearer = /\b(Bearer|Basic)([ :=]+)[A-Za-z0-9._~+/=-]{6,}/gi;
/** An API key or session token: `rt_` or `rs_` and 32 random bytes in base64url (specification/logs.md#redaction). */
const apiKey = /\br[ts]_[A-Za-z0-9_-]{20,}/g;

/** The mark of a cut message: a secret may be cut too. */
const cutMark = ' [cut]';
/** Shortest part of a secret that is removed at a cut. */
const minPieceLength = 4;

/** Returns a function that removes `secrets` and everything that looks like a credential from the message and every field. */
export function redactor(secrets: readonly string[]): Redact {
  const spellings = [...new Set(secrets.flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
  const literal =
    spellings.length === 0 ? undefined : new RegExp(spellings.map(escapePattern).join('|'), 'g');
  const clean = (text: string): string => {
    const literally = literal === undefined ? text : withoutCutSecret(text.replace(literal, mark), spellings);
    return literally
      .replace(urlCredentials, `$1${mark}@`)
      .replace(bearer, `$1$2${mark}`)
      .replace(apiKey, mark);
  };
  return (record) =>
    Object.fromEntries(
      Object.entries(record).map(([key, value]) =>
        key === 'level' || typeof value !== 'string' ? [key, value] : [key, clean(value)],
      ),
    ) as LogRecord;
}

/** Verbatim, in a URL, in JSON (also the quoting of NUT), and in a Basic credential. */
function spellingsOf(secret: string): string[] {
  if (secret === '') return [];
  return [
    secret,
    // Through a Buffer, because half a surrogate pair cannot be encoded otherwise.
    encodeURIComponent(Buffer.from(secret).toString()),
    JSON.stringify(secret).slice(1, -1),
    // Shorter ones would occur by chance in any text.
    ...(secret.length >= 8 ? [Buffer.from(secret).toString('base64').replace(/=+$/, '')] : []),
  ];
}

function withoutCutSecret(text: string, spellings: readonly string[]): string {
  if (!text.endsWith(cutMark)) return text;
  const kept = text.slice(0, -cutMark.length);
  for (const secret of spellings) {
    for (let length = Math.min(secret.length - 1, kept.length); length >= minPieceLength; length -= 1) {
      if (kept.endsWith(secret.slice(0, length))) return kept.slice(0, -length) + mark + cutMark;
    }
  }
  return text;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
