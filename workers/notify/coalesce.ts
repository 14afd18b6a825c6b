// An outage that ended before it was reported: one summary replaces ON_BATTERY and POWER_RESTORED; one digest, those of many brief
// outages.
import { truncate } from '../../shared/domain/base/truncate.js';
import type { Notification } from '../../shared/domain/services/notification.js';
import { maxTextLength } from '../../shared/domain/services/notification.js';
import { durationInWords } from '../../shared/domain/base/duration.js';
import { timeInWords } from './message.js';

/** Where the clock was set between them by more, each keeps its own date: a summary would have one that contradicts its length. */
const setSeconds = 60;

export interface Coalesced {
  /** ON_BATTERYs and at last POWER_RESTORED of one UPS. */
  readonly replaced: readonly Notification[];
  /** What replaces them; a function, because most of many brief outages never need it. */
  readonly summary: () => Notification;
}

/**
 * Pairs every POWER_RESTORED with the ON_BATTERYs of the same UPS that wait before it. `waiting` is in order and without
 * the message under way, which may be delivered. `secondsBetween`: by the monotonic clock.
 */
export function coalesceMessages(
  waiting: readonly Notification[],
  secondsBetween: (alarm: Notification, restored: Notification) => number,
): readonly Coalesced[] {
  const alarms = new Map<string, Notification[]>();
  const pairs: Coalesced[] = [];
  for (const notification of waiting) {
    const { source, type } = notification;
    const before = alarms.get(source) ?? [];
    const [first] = before;
    if (type === 'ON_BATTERY') {
      before.push(notification);
      alarms.set(source, before);
    } else if (type === 'POWER_RESTORED' && first !== undefined) {
      alarms.delete(source);
      const seconds = secondsBetween(first, notification);
      if (Math.abs(notification.at - first.at - seconds) > setSeconds) continue;
      pairs.push({
        replaced: [...before, notification],
        summary: () => summaryOf(first, notification, seconds),
      });
    }
  }
  return pairs;
}

/** One message about outages that were too short to be reported one by one. */
export function digestOf(
  outages: readonly (readonly Notification[])[],
  labelOf: (source: string) => string,
): Notification | null {
  const counts = new Map<string, number>();
  for (const [{ source } = { source: '' }] of outages) counts.set(source, (counts.get(source) ?? 0) + 1);
  const times = outages.flat().map(({ at }) => at);
  const to = times.reduce((latest, at) => Math.max(latest, at), 0);
  const from = times.reduce((earliest, at) => Math.min(earliest, at), to);
  const each = [...counts].map(([source, count]) => `${labelOf(source)} ${String(count)}`).join(', ');
  const many = outages.length === 1 ? 'Once' : `${String(outages.length)} times`;
  const text = `${many} briefly on battery from ${timeInWords(from)} to ${timeInWords(to)}: ${each}. Power is back; unless it was a battery test, look for the cause if this happens again.`;
  const last = outages.at(-1)?.at(-1);
  if (last === undefined) return null;
  const { id, source, type } = last;
  return {
    id: `digest+${id}`.slice(0, 200),
    at: to,
    source,
    type,
    text: truncate(text, maxTextLength),
    urgent: false,
  };
}

/** The summary: start and duration of the outage, and the full text of POWER_RESTORED. */
function summaryOf(alarm: Notification, restored: Notification, seconds: number): Notification {
  const lasted = durationInWords(seconds);
  // It may have been a battery test, of which the message of the return of power knows nothing.
  const text = `The UPS was on battery before this message could be delivered: from ${timeInWords(alarm.at)}, on line power ${lasted} later. ${restored.text}`;
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
