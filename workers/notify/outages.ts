// Outages that ended before they were reported: which waiting messages become one summary, wait for the digest of many brief
// outages, or are dropped. Sends and removes nothing.
import type { Notification } from '../../shared/domain/services/notification.js';
import type { ServiceSettings } from '../../shared/protocol/notify.js';
import type { QueueEntry } from './backlog.js';
import { coalesceMessages, digestOf } from './coalesce.js';
import type { MessageHolds } from './holds.js';

export interface Merger {
  readonly entries: readonly QueueEntry[];
  /** What replaces them; null: nothing. */
  readonly summary: Notification | null;
}

export interface MergedOutages {
  readonly mergers: readonly Merger[];
  /** These wait until `digestAtMs`, monotonic. */
  readonly held: readonly QueueEntry[];
  readonly digestAtMs: number;
}

export interface MergeRules {
  readonly rules: ServiceSettings;
  readonly holds: MessageHolds;
  readonly nowMs: number;
  readonly labelOf: (source: string) => string;
}

/** `waiting` is in order and without the message under way. */
export function mergedOutages(waiting: readonly QueueEntry[], merge: MergeRules): MergedOutages {
  const byId = new Map(waiting.map((entry) => [entry.notification.id, entry]));
  const mergers: Merger[] = [];
  const brief: (readonly QueueEntry[])[] = [];
  const bornMs = ({ id }: Notification): number => byId.get(id)?.bornMs ?? 0;
  const secondsBetween = (a: Notification, b: Notification): number => (bornMs(b) - bornMs(a)) / 1000;
  const notifications = waiting.map(({ notification }) => notification);
  for (const { replaced, summary } of coalesceMessages(notifications, secondsBetween)) {
    const entries = replaced.map(({ id }) => byId.get(id)).filter((entry) => entry !== undefined);
    if (isBrief(entries, merge)) brief.push(entries);
    else mergers.push({ entries, summary: summary() });
  }
  const none = { mergers, held: [], digestAtMs: Number.POSITIVE_INFINITY };
  const [first] = brief;
  if (first === undefined) return none;
  const entries = brief.flat();
  const { digestMs } = merge.rules;
  const digestAtMs = (first[0]?.bornMs ?? 0) + digestMs;
  if (merge.nowMs < digestAtMs) return { mergers, held: entries, digestAtMs };
  const outages = brief.map((outage) => outage.map(({ notification }) => notification));
  const summary = digestMs === 0 ? null : digestOf(outages, merge.labelOf);
  return { ...none, mergers: [...mergers, { entries, summary }] };
}

/** The power was back before the first message was due; a shutdown later changes nothing about that. */
function isBrief(entries: readonly QueueEntry[], { rules, holds }: MergeRules): boolean {
  const restored = entries.at(-1);
  if (restored?.attempts !== 0) return false;
  return entries
    .slice(0, -1)
    .every((alarm) => alarm.heldUntilMs > 0 || holds.waitsForPower(alarm, restored.bornMs, rules));
}
