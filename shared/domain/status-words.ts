// ups.status as a set of words (NUT docs/new-drivers.txt, "Status data"). Words are split at white space and
// compared whole: CHRG and DISCHRG are different words. Unknown words are kept and mean nothing.

/** The words in the order given, each once. WAIT alone means the driver has not spoken yet. */
export function statusWords(status: string): readonly string[] {
  return [...new Set(status.split(/\s+/).filter((word) => word !== ''))];
}

/** What the words say about where the load's power comes from. */
export type PowerSource =
  | 'line' // OL without OB
  | 'battery' // OB, also together with OL
  | 'neither'; // OFF, BYPASS, nothing: says nothing about an outage

export function powerSource(words: readonly string[]): PowerSource {
  if (words.includes('OB')) return 'battery';
  if (words.includes('OL')) return 'line';
  return 'neither';
}

/** WAIT: the driver has delivered no data yet; such a status tells nothing at all (NUT docs). */
export function tellsNothing(words: readonly string[]): boolean {
  return words.length === 0 || words.includes('WAIT');
}
