// ups.status as a set of words (NUT docs/new-drivers.txt, "Status data"), split at white space, and at the commas and signs that no
// word of NUT has and some clients take, and compared as full words: CHRG and DISCHRG are different. Unknown words are kept and mean nothing.

/** The words in the order given, each once. WAIT alone means that the driver has no data yet. */
export function statusWords(status: string): readonly string[] {
  const words = status.split(/[\s,;|+]+/).filter((word) => word !== '');
  return [...new Set(words.map(asNutSpellsIt))];
}

/** upsmon compares without case, and some servers write the words in small letters. */
function asNutSpellsIt(word: string): string {
  const capital = word.toUpperCase();
  return isKnownWord(capital) ? capital : word;
}

/** NUT docs/new-drivers.txt, and those that released drivers set besides. In the order of the metrics. */
export const nutWords =
  'OL OB LB HB RB CHRG DISCHRG BYPASS CAL OFF OVER TRIM BOOST FSD ALARM TEST ECO COMM WAIT'.split(' ');

export function isKnownWord(word: string): boolean {
  return nutWords.includes(word);
}

/** The source of the load's power by the status words. Some drivers show TRIM, BOOST, BYPASS or OFF instead of OL and OB. */
export type PowerSource =
  | 'line' // OL, TRIM or BOOST, without OB
  | 'battery' // OB, also together with OL or OFF
  | 'bypass' // BYPASS: mains feed the load past the UPS
  | 'off' // OFF: the output is off, or the driver has lost the UPS
  | 'neither'; // any other word

/** What each source is in an outage and without one: specification/policy.md#status-words. */
export function powerSource(words: readonly string[]): PowerSource {
  if (words.includes('OB')) return 'battery';
  if (lineWords.some((word) => words.includes(word))) return 'line';
  if (words.includes('BYPASS')) return 'bypass';
  return words.includes('OFF') ? 'off' : 'neither';
}

/** A voltage that is trimmed or boosted is there. */
const lineWords = ['OL', 'TRIM', 'BOOST'];

/** True with WAIT: the driver has delivered no data yet (NUT docs). */
export function hasNoData(words: readonly string[]): boolean {
  return words.length === 0 || words.includes('WAIT');
}
