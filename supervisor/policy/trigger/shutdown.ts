// One sequence per outage: whether a group may start its sequence, and what re-arms it.
import type { SequenceCause } from '../../../shared/domain/status/states.js';
import type { ShutdownRequest } from '../base/effects.js';

/**
 *            request                     outage over (confirmed)  and  sequence over, in either order
 *   armed -----------> fired -----------------------------------------------------------------------> armed
 *
 * `fired` begins with the request for the sequence; a further request starts nothing. Re-arming needs both the end of
 * the outage and the end of the sequence, also after a dry run, a failed step or without a power-off.
 */
export type Shutdown =
  | { readonly kind: 'armed' }
  | {
      readonly kind: 'fired';
      readonly trigger: SequenceCause;
      readonly why: string;
      readonly sinceUnixSeconds: number;
      readonly outageOver: boolean;
      readonly sequenceOver: boolean;
    };

export const armed: Shutdown = { kind: 'armed' };

/** `isPowerStable`: the return of power is confirmed, without FSD. */
export function nextShutdownState(
  shutdown: Shutdown,
  request: ShutdownRequest | null,
  isPowerStable: boolean,
  unixSeconds: number,
): Shutdown {
  if (shutdown.kind === 'armed') return request === null ? shutdown : firedBy(request, unixSeconds);
  if (!isPowerStable || shutdown.outageOver) return shutdown;
  return shutdown.sequenceOver ? armed : { ...shutdown, outageOver: true };
}

/** The request that has started the sequence; null: none has. */
export function startedBy(before: Shutdown, after: Shutdown): ShutdownRequest | null {
  return before.kind === 'armed' && after.kind === 'fired' ? after : null;
}

/** The return of power is confirmed, and the sequence was not over. */
export function hasPowerReturned(before: Shutdown, after: Shutdown): boolean {
  return before.kind === 'fired' && after.kind === 'fired' && after.outageOver && !before.outageOver;
}

/** Fired at `sinceUnixSeconds`, by a previous daemon too. */
export function firedBy({ trigger, why }: ShutdownRequest, sinceUnixSeconds: number): Shutdown {
  return { kind: 'fired', trigger, why, sinceUnixSeconds, outageOver: false, sequenceOver: false };
}

/** The group's sequence has ended or was cancelled. */
export function sequenceOver(shutdown: Shutdown): Shutdown {
  if (shutdown.kind === 'armed') return shutdown;
  return shutdown.outageOver ? armed : { ...shutdown, sequenceOver: true };
}
