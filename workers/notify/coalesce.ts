// An outage that came and went while a service could not be reached: one summary in the place of alarm and all-clear.
import { cutTo } from '../../shared/domain/cut.js';
import type { Notification } from '../../shared/domain/notification.js';
import { longestText } from '../../shared/domain/notification.js';
import { durationInWords } from '../../shared/domain/duration.js';
import { timeInWords } from './message.js';

export interface Coalesced {
  /** The alarms and the all-clear that nobody needs any more. */
  readonly replaced: readonly Notification[];
  readonly summary: Notification;
}

/**
 * Pairs every POWER_RESTORED with the ON_BATTERYs of the same UPS that wait in front of it. `waiting` is in order, and
 * without what is under way: that one may just be read by somebody.
 */
export function coalesced(waiting: readonly Notification[]): readonly Coalesced[] {
  const alarms = new Map<string, Notification[]>();
  const found: Coalesced[] = [];
  for (const notification of waiting) {
    const { source, type } = notification;
    if (type === 'ON_BATTERY') alarms.set(source, [...(alarms.get(source) ?? []), notification]);
    if (type !== 'POWER_RESTORED') continue;
    const before = alarms.get(source) ?? [];
    const [first] = before;
    alarms.delete(source);
    if (first !== undefined)
      found.push({ replaced: [...before, notification], summary: summaryOf(first, notification) });
  }
  return found;
}

/** Of any length, and it says which; every word of the all-clear stays. */
function summaryOf(alarm: Notification, restored: Notification): Notification {
  const lasted = durationInWords(restored.at - alarm.at);
  const text = `An outage came and went before this could be delivered: on battery at ${timeInWords(alarm.at)}, on line power ${lasted} later. ${restored.text}`;
  return {
    // The same for every service and after every restart: a summary is made once.
    id: `${alarm.id}+${restored.id}`.slice(0, 200),
    at: restored.at,
    source: restored.source,
    type: restored.type,
    text: cutTo(text, longestText),
    // It carries the only news of an outage.
    urgent: true,
  };
}
