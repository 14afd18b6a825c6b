// One sequence per outage: whether a group may still start its sequence, and what re-arms it.
import type { SequenceCause } from '../../shared/domain/states.js';

export type Cause = SequenceCause;

/** What asks for the sequence right now. */
export interface ShutdownRequest<C extends Cause = Cause> {
  readonly trigger: C;
  readonly why: string;
}

/**
 *            demand                      outage over (confirmed)  and  sequence over, in either order
 *   armed -----------> fired -----------------------------------------------------------------------> armed
 *
 * `fired` holds from the moment the sequence is asked for. A demand meanwhile starts nothing. Neither the end of the
 * sequence nor the return of power re-arms alone; a dry run, a failed step or a switched-off power-off re-arm nothing.
 */
export type Shutdown =
  | { readonly kind: 'armed' }
  | {
      readonly kind: 'fired';
      readonly trigger: Cause;
      readonly why: string;
      readonly sinceUnixSeconds: number;
      readonly outageOver: boolean;
      readonly sequenceOver: boolean;
    };

export const armed: Shutdown = { kind: 'armed' };

/** What has just become of a group. */
export type ShutdownChange = 'started' | 'powerReturned' | null;

export interface Transition {
  readonly shutdown: Shutdown;
  readonly change: ShutdownChange;
}

/** `calm`: the power is back, confirmed, and nothing (FSD) speaks against it. */
export function nextShutdownState(
  shutdown: Shutdown,
  request: ShutdownRequest | null,
  calm: boolean,
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
  if (!calm || shutdown.outageOver) return { shutdown, change: null };
  if (shutdown.sequenceOver) return { shutdown: armed, change: null };
  return { shutdown: { ...shutdown, outageOver: true }, change: 'powerReturned' };
}

/** Fired at `sinceUnixSeconds` by a daemon before this one. */
export function sequenceRecovered(request: ShutdownRequest, sinceUnixSeconds: number): Shutdown {
  return { kind: 'fired', ...request, sinceUnixSeconds, outageOver: false, sequenceOver: false };
}

/** After the group's sequence has ended, by itself or cancelled. */
export function sequenceOver(shutdown: Shutdown): Shutdown {
  if (shutdown.kind === 'armed') return shutdown;
  return shutdown.outageOver ? armed : { ...shutdown, sequenceOver: true };
}
