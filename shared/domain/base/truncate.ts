// Truncates text to the length that a link, a column or a message allows.

/**
 * At most `max` characters as `textUpTo` counts them. Never ends in half a surrogate pair: it cannot be encoded, and
 * SQLite returns three characters for it, so that the text would exceed the limit.
 */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? max - 1 : max);
}
