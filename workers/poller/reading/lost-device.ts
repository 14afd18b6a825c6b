// Drivers whose status says that the program behind them has lost the UPS: no reading, as DATA-STALE of a driver is none.
import type { Variables } from '../../../shared/domain/ups/reading.js';
import { statusWords } from '../../../shared/domain/ups/status-words.js';

/**
 * apcupsd-ups, and upsnutwrapper, show OFF alone where apcupsd says COMMLOST, and in no other case (NUT drivers/apcupsd-ups.c): no output is
 * off. The message of the failed poll; null for a reading.
 */
export function lostDevice(variables: Variables): string | null {
  const isOfApcupsd =
    variables['driver.name'] === 'apcupsd-ups' ||
    variables['driver.version.internal']?.startsWith('apcupsd ') === true;
  const [word, ...more] = statusWords(variables['ups.status'] ?? '');
  return isOfApcupsd && word === 'OFF' && more.length === 0
    ? 'apcupsd has lost its UPS (COMMLOST), which is shown as OFF'
    : null;
}
