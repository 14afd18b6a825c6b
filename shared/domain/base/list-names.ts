// Words a list of names for a person, with a bounded length.
import { singleLine } from './single-line.js';

/** Ten names and the count of the rest, for events and messages. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => singleLine(name).slice(0, 64));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}
