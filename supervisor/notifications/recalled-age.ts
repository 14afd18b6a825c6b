// How old a stored message is (specification/notifications.md#delivery). Its date is by the wall clock, which may have been set since.
// Pure.
import type { Answer } from '../../shared/protocol/contract.js';
import type { notificationRequests } from '../../shared/protocol/notification-records.js';

type Recalled = Answer<typeof notificationRequests, 'notifications.recall'>['tasks'][number];

export interface Born {
  /** Monotonic, which counts from the boot. */
  readonly bornMs: number;
  readonly isAgeUnknown: boolean;
}

/** Messages of another boot in doubt keep the times between them, up to this; then only their order. */
const longestBetweenMs = 86_400_000;
/** A date that is further ahead is of another clock. */
const aheadSeconds = 60;

/** For the messages of one answer. */
export function bornAt(
  now: { readonly monotonicMs: number; readonly wallSeconds: number },
  tasks: readonly Recalled[],
): (task: Recalled) => Born {
  const newest = Math.max(...tasks.filter(isInDoubt).map(({ notification }) => notification.at));
  return (task) => {
    const { at } = task.notification;
    const ageMs = Math.max(0, now.wallSeconds - at) * 1000;
    // It is older than this boot, by nobody knows how much.
    if (isInDoubt(task))
      return { bornMs: Math.max(-longestBetweenMs, (at - newest) * 1000), isAgeUnknown: true };
    // No message of this boot is older than the boot.
    const isSet = at > now.wallSeconds + aheadSeconds || (task.isOfThisBoot && ageMs > now.monotonicMs);
    return { bornMs: now.monotonicMs - (isSet ? 0 : ageMs), isAgeUnknown: isSet };
  };
}

const isInDoubt = ({ isOfThisBoot, isDateInDoubt }: Recalled): boolean => isDateInDoubt && !isOfThisBoot;
