// Handles a trigger that fires: its latch, and the sequence it starts.
import { reuseUnchanged } from '../base/comparison.js';
import type { TriggerName } from '../../../shared/domain/status/states.js';
import type { PolicyClock } from '../base/clock.js';
import type { ShutdownRequest } from '../base/effects.js';
import { nextShutdownState } from '../trigger/shutdown.js';
import type { UpsState } from '../state/ups-state.js';
import { isPowerStable } from '../state/ups-state.js';

/** Called last in an input; `request` is the trigger that fires at it, or null. */
export function fireTrigger(
  ups: UpsState,
  request: ShutdownRequest<TriggerName> | null,
  { unixSeconds }: PolicyClock,
): UpsState {
  const own = ups.policy.advisory ? null : request;
  const shutdown = nextShutdownState(ups.shutdown, own, isPowerStable(ups), unixSeconds);
  const next = reuseUnchanged(ups, { ...ups, shutdown });
  if (request === null || request.trigger === 'FSD' || ups.met !== null) return next;
  return { ...next, met: { ...request, sinceUnixSeconds: unixSeconds } };
}
