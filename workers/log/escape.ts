// Keeps a record on one line: characters that could break, hide or reorder text become visible ASCII.

/** Controls (C0, DEL, C1), format characters (bidirectional overrides, zero width), line and paragraph separators, lone surrogates. */
const unsafeCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** For text: `\n`, `\x1b`, `\u{202e}`. Backslashes stay unchanged, so escaping cannot be reversed. */
export function escapeText(text: string): string {
  return text.replace(unsafeCharacters, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return (
      short[character] ??
      (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`)
    );
  });
}

/** For serialised JSON: the same characters as `\u` and four hexadecimal digits, which a JSON reader decodes. */
export function escapedJson(json: string): string {
  return json.replace(unsafeCharacters, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
