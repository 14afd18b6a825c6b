// The hint after a misspelt name: which of the known names was meant.
import { distance } from 'fastest-levenshtein';

/** No name that we know is longer; a longer text is not compared. */
const maxLength = 64;

/** The known name with the fewest changed letters, if a typing error explains the difference; case is ignored. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxLength) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const changes = distance(name.toLowerCase(), candidate.toLowerCase());
    if (changes < bestDistance) [best, bestDistance] = [candidate, changes];
  }
  return best;
}
