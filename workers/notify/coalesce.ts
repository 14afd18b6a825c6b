// An outage that ended while a service was unreachable: one summary replaces ON_BATTERY and POWER_RESTORED.
import { truncate } from '../../shared/domain/truncate.js';
import type { Notification } from '../../shared/domain/notification.js';
import { maxTextLength } from '../../shared/domain/notification.js';
import { durationInWords } from '../../shared/domain/duration.js';
import { timeInWords } from './message.js';

export interface Coalesced {
  readonly replaced: readonly Notification[];
  readonly summary: Notification;
}

/**
 * Pairs every POWER_RESTORED with the ON_BATTERYs of the same UPS that wait before it. `waiting` is in order and without
 * the message under way, which may be delivered.
 */
export function coalesced(waiting: readonly Notification[]): readonly Coalesced[] {
  const alarms = new Map<string, Notification[]>();
  const summaries: Coalesced[] = [];
  for (const notification of waiting) {
    const { source, type } = notification;
    if (type === 'ON_BATTERY') alarms.set(source, [...(alarms.get(source) ?? []), notification]);
    if (type !== 'POWER_RESTORED') continue;
    const before = alarms.get(source) ?? [];
    const [first] = before;
    alarms.delete(source);
    if (first !== undefined)
      summaries.push({ replaced: [...before, notification], summary: summaryOf(first, notification) });
  }
  return summaries;
}

/** The summary: start and duration of the outage, and the full text of POWER_RESTORED. */
function summaryOf(alarm: Notification, restored: Notification): Notification {
  const lasted = durationInWords(restored.at - alarm.at);
  const text = `An outage ended before this message could be delivered: on battery at ${timeInWords(alarm.at)}, on line power ${lasted} later. ${restored.text}`;
  return {
    // The same for every service and after every restart: there is one summary.
    id: `${alarm.id}+${restored.id}`.slice(0, 200),
    at: restored.at,
    source: restored.source,
    type: restored.type,
    text: truncate(text, maxTextLength),
    // It is the only message about the outage.
    urgent: true,
  };
}
