// ups.status as a set of words (NUT docs/new-drivers.txt, "Status data"), split at white space and compared as full
// words: CHRG and DISCHRG are different. Unknown words are kept and mean nothing.

/** The words in the order given, each once. WAIT alone means that the driver has no data yet. */
export function statusWords(status: string): readonly string[] {
  return [...new Set(status.split(/\s+/).filter((word) => word !== ''))];
}

/** NUT docs/new-drivers.txt, and those that released drivers set besides. In the order of the metrics. */
export const nutWords =
  'OL OB LB HB RB CHRG DISCHRG BYPASS CAL OFF OVER TRIM BOOST FSD ALARM TEST ECO COMM WAIT'.split(' ');

export function isKnownWord(word: string): boolean {
  return nutWords.includes(word);
}

/** The source of the load's power by the status words. */
export type PowerSource =
  | 'line' // OL without OB
  | 'battery' // OB, also together with OL
  | 'neither'; // OFF, BYPASS, no word: neither starts nor ends an outage

export function powerSource(words: readonly string[]): PowerSource {
  if (words.includes('OB')) return 'battery';
  if (words.includes('OL')) return 'line';
  return 'neither';
}

/** True with WAIT: the driver has delivered no data yet (NUT docs). */
export function hasNoData(words: readonly string[]): boolean {
  return words.length === 0 || words.includes('WAIT');
}
