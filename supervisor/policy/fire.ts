// From a trigger that fires to what is done about it: the latch that shows it, the sequence it starts, the words for it.
import type { TriggerName } from '../../shared/domain/states.js';
import type { PolicyClock } from './clock.js';
import type { Said } from './effect-collector.js';
import type { Demand } from './shutdown.js';
import { turned } from './shutdown.js';
import { tellTrigger } from './ups-messages.js';
import type { UpsState } from './ups-state.js';
import { isCalm } from './ups-state.js';

/** The UPS after everything else has been decided: `demand` is the trigger that fires at this input, if any. */
export function concluded(
  before: UpsState,
  after: UpsState,
  demand: Demand<TriggerName> | null,
  now: PolicyClock,
  said: Said,
): UpsState {
  const { policy } = after;
  const own = policy.advisory ? null : demand;
  const { shutdown, change } = turned(after.shutdown, own, isCalm(after), now.unixSeconds);
  if (change === 'powerReturned') said.powerReturned(policy.groupId);
  const turnedTo: UpsState = shutdown === after.shutdown ? after : { ...after, shutdown };
  if (demand === null) return turnedTo;
  if (change === 'started') said.startSequence(policy.groupId, demand.trigger, demand.why);
  const isFsd = demand.trigger === 'FSD';
  const isNew = isFsd ? before.fsd.kind !== 'acting' : after.met === null;
  if (isNew || change === 'started') tellTrigger(demand, change, policy, said);
  if (isFsd || after.met !== null) return turnedTo;
  return { ...turnedTo, met: { ...demand, sinceUnixSeconds: now.unixSeconds } };
}
