// FSD (forced shutdown). It acts without confirmation, and some hardware leaves it set after a boot.
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { PowerSource } from '../../../shared/domain/ups/status-words.js';
import type { PolicyClock } from '../base/clock.js';
import type { ForcedShutdownState } from '../base/inputs.js';

/**
 * `unseen`   no reading yet on this boot.
 * `absent`   the last reading had no FSD.
 * `latched`  The first reading of this boot had FSD on line power: a stale flag. It is ignored, or every boot would end in
 *            a shutdown, until OB comes with it or it clears and is set again.
 * `own`      This daemon sets it, as the primary of the UPS, or has set it: it requests nothing, also not after the return of
 *            power, until a reading is without it.
 * `acting`   FSD requests the shutdown. It ends with a good reading without FSD on line power.
 */
export type Fsd =
  | { readonly kind: 'unseen' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'latched' }
  | { readonly kind: 'own'; readonly sinceMs: number }
  | { readonly kind: 'acting'; readonly sinceUnixSeconds: number };

export const unseenFsd: Fsd = { kind: 'unseen' };
/** What it requests while it acts and a reading shows it. */
export const fsdRequest = {
  trigger: 'FSD',
  why: 'the UPS or its NUT primary demands a forced shutdown',
} as const;

const absent: Fsd = { kind: 'absent' };
const latched: Fsd = { kind: 'latched' };
/** More than the step that sets it, and a poll, take together. */
const longestRequestMs = 30_000;

/** After a good reading, which was asked for at `askedMs`. */
export function fsdAfterStatus(
  fsd: Fsd,
  words: readonly string[],
  source: PowerSource,
  now: PolicyClock,
  askedMs: number,
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
    case 'own':
      // Until then a poll may have begun before the server had it.
      return !present && askedMs - fsd.sinceMs > longestRequestMs ? absent : fsd;
    case 'acting':
      return !present && source === 'line' ? absent : fsd;
    default:
      return unreachable(fsd);
  }
}

/** FSD of another that acts already is not ours. */
export function fsdAfterOwn(fsd: Fsd, state: ForcedShutdownState, now: PolicyClock): Fsd {
  if (fsd.kind === 'acting') return fsd;
  switch (state) {
    case 'asked':
    case 'set':
      return { kind: 'own', sinceMs: now.monotonicMs };
    case 'refused':
      return fsd.kind === 'own' ? absent : fsd;
    default:
      return unreachable(state);
  }
}

function acting(now: PolicyClock): Fsd {
  return { kind: 'acting', sinceUnixSeconds: now.unixSeconds };
}
