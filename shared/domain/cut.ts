// Cuts a text to what a link, a column or a message takes.

/**
 * At most `most` characters as `textUpTo` counts them. Half a surrogate pair is no character: it cannot be encoded, and
 * SQLite gives three back for it, so that a text which fitted would not fit any more.
 */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? most - 1 : most);
}
