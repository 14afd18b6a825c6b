// FSD (forced shutdown). It acts without confirmation, and some hardware leaves it set after a boot.
import { unreachable } from '../../shared/domain/unreachable.js';
import type { PowerSource } from '../../shared/domain/status-words.js';
import type { PolicyClock } from './clock.js';

/**
 * `unseen`   no reading yet on this boot.
 * `absent`   the last reading had no FSD.
 * `latched`  The first reading of this boot had FSD on line power: a stale flag. It is ignored, or every boot would end in
 *            a shutdown, until OB comes with it or it clears and is set again.
 * `acting`   FSD requests the shutdown. It ends with a good reading without FSD on line power.
 */
export type Fsd =
  | { readonly kind: 'unseen' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'latched' }
  | { readonly kind: 'acting'; readonly sinceUnixSeconds: number };

export const unseenFsd: Fsd = { kind: 'unseen' };

const absent: Fsd = { kind: 'absent' };
const latched: Fsd = { kind: 'latched' };

export function fsdAfterStatus(
  fsd: Fsd,
  words: readonly string[],
  source: PowerSource,
  now: PolicyClock,
): Fsd {
  const present = words.includes('FSD');
  switch (fsd.kind) {
    case 'unseen':
      if (!present) return absent;
      return source === 'line' ? latched : acting(now);
    case 'absent':
      return present ? acting(now) : fsd;
    case 'latched':
      if (!present) return absent;
      return source === 'battery' ? acting(now) : fsd;
    case 'acting':
      return !present && source === 'line' ? absent : fsd;
    default:
      return unreachable(fsd);
  }
}

function acting(now: PolicyClock): Fsd {
  return { kind: 'acting', sinceUnixSeconds: now.unixSeconds };
}
