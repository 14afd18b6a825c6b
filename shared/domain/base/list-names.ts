// Words a list for a person, with a bounded length.
import { singleLine } from './single-line.js';

/** `a, b`; of more than `most` the first `shown` and the count of the rest: `a, b and 3 more`. */
export function shortList(texts: readonly string[], most: number, shown = most): string {
  if (texts.length <= most) return texts.join(', ');
  return `${texts.slice(0, shown).join(', ')} and ${String(texts.length - shown)} more`;
}

/** Ten names and the count of the rest, for events and messages. */
export function listNames(names: readonly string[]): string {
  return shortList(
    names.map((name) => singleLine(name).slice(0, 64)),
    10,
  );
}
