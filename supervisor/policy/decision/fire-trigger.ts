// Handles a trigger that fires: its latch, the sequence it starts, the reports.
import type { TriggerName } from '../../../shared/domain/status/states.js';
import type { PolicyClock } from '../base/clock.js';
import type { EffectCollector } from '../base/effect-collector.js';
import type { ShutdownRequest } from '../base/effects.js';
import { nextShutdownState } from '../trigger/shutdown.js';
import { reportTrigger } from '../view/ups-messages.js';
import type { UpsState } from '../state/ups-state.js';
import { isPowerStable } from '../state/ups-state.js';

/** Called last in an input; `request` is the trigger that fires at it, or null. */
export function fireTrigger(
  before: UpsState,
  after: UpsState,
  request: ShutdownRequest<TriggerName> | null,
  now: PolicyClock,
  effects: EffectCollector,
): UpsState {
  const { policy } = after;
  const own = policy.advisory ? null : request;
  const { shutdown, change } = nextShutdownState(after.shutdown, own, isPowerStable(after), now.unixSeconds);
  if (change === 'powerReturned') effects.powerReturned(policy.groupId);
  const next: UpsState = shutdown === after.shutdown ? after : { ...after, shutdown };
  if (request === null) return next;
  if (change === 'started') effects.startSequence(policy.groupId, request.trigger, request.why);
  const isFsd = request.trigger === 'FSD';
  const isNew = isFsd ? before.fsd.kind !== 'acting' : after.met === null;
  if (isNew || change === 'started')
    effects.report('the report of a trigger', () => reportTrigger(request, change, policy, effects));
  if (isFsd || after.met !== null) return next;
  return { ...next, met: { ...request, sinceUnixSeconds: now.unixSeconds } };
}
