// Whether a server has answered nothing but DATA-STALE since the last good reading.
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';

/** "perhaps": whether a poller was silent is known to a tick. */
export type OnlyStale = 'yes' | 'perhaps' | 'no';

const tickMs = 250;
const detectionMs = 500;

/** How certain it is that no report was overdue for `gapMs`. */
export function heardAfter(gapMs: number, { checkIntervalMs, pollDeadlineMs }: UpsSettings): OnlyStale {
  const overdueMs = checkIntervalMs + pollDeadlineMs;
  if (gapMs <= overdueMs - tickMs) return 'yes';
  return gapMs <= overdueMs + detectionMs ? 'perhaps' : 'no';
}

const order: readonly OnlyStale[] = ['no', 'perhaps', 'yes'];
export const lesser = (a: OnlyStale, b: OnlyStale): OnlyStale =>
  order.indexOf(a) < order.indexOf(b) ? a : b;
