// Private keys in the form of ssh2: each parsed once, however many servers use it.
import type { ParsedKey } from 'ssh2';
import ssh2 from 'ssh2';

export type UsableKey =
  | { readonly ok: true; readonly key: ParsedKey }
  /** `trouble` completes a sentence: "the key of nas cannot be used: ...". */
  | { readonly ok: false; readonly trouble: string };

/** Bounds the cache, which keeps old keys after a reload; a fleet has at most one key for each server. */
const maxKeys = 1_000;

export class PrivateKeys {
  readonly #parsed = new Map<string, UsableKey>();

  usable(text: string): UsableKey {
    const before = this.#parsed.get(text);
    if (before !== undefined) return before;
    if (this.#parsed.size >= maxKeys) this.#parsed.clear();
    const usable = parse(text);
    this.#parsed.set(text, usable);
    return usable;
  }
}

function parse(text: string): UsableKey {
  const parsed: unknown = ssh2.utils.parseKey(text);
  const key = (Array.isArray(parsed) ? parsed[0] : parsed) as ParsedKey | Error | undefined;
  if (key === undefined || key instanceof Error)
    return { ok: false, trouble: key?.message ?? 'it contains no key' };
  if (!key.isPrivateKey()) return { ok: false, trouble: 'it is a public key' };
  return { ok: true, key };
}
