// A server that puts the status of the answers before beside the present one, for as long as the connection lasts: OB and LB would
// stand for ever. Pure.

/** True where `now` is `before` with more words, and has a word twice. A driver may write one twice too (networkupstools/nut#2292). */
export function isGrown(before: string | undefined, now: string | undefined): boolean {
  const [old, next] = [before?.trim() ?? '', now?.trim() ?? ''];
  if (old === '' || !(next.endsWith(` ${old}`) || next.startsWith(`${old} `))) return false;
  const words = next.split(/\s+/);
  return new Set(words).size < words.length;
}
