// Compares an answer with the true state of the UPS.
import type { UpsPolled } from '../../../shared/protocol/poller.js';
import type { Truth } from '../truth.js';

/** WAIT or an empty status is no answer. */
export function tells(words: readonly string[]): boolean {
  return words.length > 0 && !words.includes('WAIT');
}

/** A wrong power source, or a battery test without TEST or CAL. Words that name no source are not wrong. */
export function isFalseReading(outcome: UpsPolled['outcome'], { onBattery, words }: Truth): boolean {
  if (outcome.kind === 'failed') return false;
  const { status } = outcome.reading;
  const saysBattery = status.includes('OB');
  const saysLine = !saysBattery && ['OL', 'TRIM', 'BOOST', 'BYPASS'].some((word) => status.includes(word));
  if (saysLine ? onBattery : saysBattery && !onBattery) return true;
  return !saysLine && words.some((word) => !status.includes(word));
}
