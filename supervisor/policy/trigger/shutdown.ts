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

/** The change at this input. */
export type ShutdownChange = 'started' | 'powerReturned' | null;

export interface Transition {
  readonly shutdown: Shutdown;
  readonly change: ShutdownChange;
}

/** `isPowerStable`: the return of power is confirmed, without FSD. */
export function nextShutdownState(
  shutdown: Shutdown,
  request: ShutdownRequest | null,
  isPowerStable: boolean,
  unixSeconds: number,
): Transition {
  if (shutdown.kind === 'armed') {
    if (request === null) return { shutdown, change: null };
    const { trigger, why } = request;
    return {
      shutdown: {
        kind: 'fired',
        trigger,
        why,
        sinceUnixSeconds: unixSeconds,
        outageOver: false,
        sequenceOver: false,
      },
      change: 'started',
    };
  }
  if (!isPowerStable || shutdown.outageOver) return { shutdown, change: null };
  if (shutdown.sequenceOver) return { shutdown: armed, change: null };
  return { shutdown: { ...shutdown, outageOver: true }, change: 'powerReturned' };
}

/** Fired at `sinceUnixSeconds` by a previous daemon. */
export function sequenceRecovered(request: ShutdownRequest, sinceUnixSeconds: number): Shutdown {
  return { kind: 'fired', ...request, sinceUnixSeconds, outageOver: false, sequenceOver: false };
}

/** The group's sequence has ended or was cancelled. */
export function sequenceOver(shutdown: Shutdown): Shutdown {
  if (shutdown.kind === 'armed') return shutdown;
  return shutdown.outageOver ? armed : { ...shutdown, sequenceOver: true };
}
