// What sequences ask of policy while they run. Where policy's state is old the reserve answers. Without an answer a decided shutdown
// continues, and waits for nothing.
import type { Guard } from '../guard/guard.js';
import { groupOf, upsOf } from '../policy/state/state.js';
import { isSeen, isSeenOnBattery, powerIsBack } from '../policy/decision/power.js';
import type { PolicyState } from '../policy/state/state.js';
import { noTimeToWait } from '../policy/view/waiting.js';
import type { SequencerDependencies } from '../sequence/dependencies.js';
import { internalError } from '../sequence/outcome.js';
import type { UpsState } from '../policy/state/ups-state.js';
import type { Standby } from './standby.js';

export type PolicyQueries = Pick<
  SequencerDependencies,
  'powerIsBack' | 'isSeen' | 'isSeenOnBattery' | 'noTimeToWait' | 'isPast'
> & {
  /** As `powerIsBack`; true also for a group that is no longer configured. */
  readonly isOutageOver: (group: string) => boolean;
};
type Answers = Pick<Standby, 'answersFor' | 'firedAt' | 'watch'>;

/** `startedMs`: the start of this daemon; earlier readings are of another. */
export function policyQueries(
  guard: Guard,
  state: () => PolicyState,
  standby: Answers,
  startedMs: number,
): PolicyQueries {
  const reserve: PolicyQueries = {
    powerIsBack: (group) => standby.watch.powerIsBack(group),
    isOutageOver: (group) => standby.watch.powerIsBack(group),
    isPast: (group) => reserve.isOutageOver(group) && standby.firedAt(group) === undefined,
    isSeen: (group) => standby.watch.isSeen(group, startedMs),
    isSeenOnBattery: (group) => standby.watch.isSeenOnBattery(group, startedMs),
    noTimeToWait: () => internalError,
  };
  const isConfigured = (group: string) => (upsOf(state(), group) ?? groupOf(state(), group)) !== undefined;
  const policy: Omit<PolicyQueries, 'isPast'> = {
    powerIsBack: (group) => powerIsBack(state(), group),
    isOutageOver: (group) => !isConfigured(group) || powerIsBack(state(), group),
    isSeen: (group) => isSeen(state(), group, startedMs),
    isSeenOnBattery: (group) => isSeenOnBattery(state(), group, startedMs),
    noTimeToWait: (group, trigger, followsSeconds) =>
      noTimeToWait(state(), group, trigger, followsSeconds, startedMs),
  };
  const of = (group: string) => (standby.answersFor(group) ? reserve : policy);
  const isOver = (group: string) => of(group).isOutageOver(group) && standby.firedAt(group) === undefined;
  return guard.withFallback<PolicyQueries>(
    'policy',
    {
      powerIsBack: (group) => of(group).powerIsBack(group),
      isOutageOver: (group) => of(group).isOutageOver(group),
      // Policy may wait for the end of its sequence although the reserve knows that all is over.
      isPast: (group) => isOver(group) && firedAt(state(), group) === null,
      isSeen: (group) => of(group).isSeen(group),
      isSeenOnBattery: (group) => of(group).isSeenOnBattery(group),
      noTimeToWait: (group, ...about) => of(group).noTimeToWait(group, ...about),
    },
    reserve,
  );
}

/** These read policy's state as data: its functions may be what throws. */
export function knownOf({ ups, upsIndex }: PolicyState, group: string): UpsState | undefined {
  return ups[upsIndex.get(group) ?? -1];
}

/** When policy has decided the sequence of the group, seconds since 1970; null: none in this outage. */
export function firedAt(state: PolicyState, group: string): number | null {
  const known = knownOf(state, group) ?? state.groups.find(({ policy }) => policy.groupId === group);
  return known?.shutdown.kind === 'fired' ? known.shutdown.sinceUnixSeconds : null;
}
