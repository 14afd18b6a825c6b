// What readings say of the power source, from the words of their status.
import { powerSource, statusWords } from '../../../shared/domain/ups/status-words.js';
import type { PolicyClock } from '../../../supervisor/policy/base/clock.js';
import type { SourceReading } from '../../../supervisor/policy/power/power-source.js';

export const at = (ms: number): PolicyClock => ({
  monotonicMs: ms,
  watchedMs: ms,
  lookingSinceMs: 0,
  unixSeconds: ms / 1000,
});

export const settings = { confirmations: 2, bypassEndMs: 60_000 };

export function reading(status: string, more: Partial<SourceReading> = {}): SourceReading {
  const words = statusWords(status);
  const source = powerSource(words);
  return {
    source,
    mayHaveMains: true,
    isBoth: words.includes('OL') && words.includes('OB'),
    isDischarging: source === 'neither' && words.includes('DISCHRG'),
    values: { charge: null, runtime: null, load: null },
    holdMs: () => 8_000,
    isLow: false,
    hasSequence: false,
    ...more,
  };
}
