// The events that policy records, one row each with the words of its facts. shared/domain/status/events.ts has the other half of the
// row: category, whether a message is sent, and when.
import type { EventType } from '../../../shared/domain/status/events.js';
import type { Effect } from '../base/effects.js';
import type { GroupSettings, UpsSettings } from '../base/inputs.js';
import type { EventWords } from './event-words.js';
import { powerWords } from './power-words.js';
import { qualityWords } from './quality-words.js';
import { statusWords } from './status-words.js';

export const policyEvents = { ...powerWords, ...statusWords, ...qualityWords } satisfies Partial<
  Record<EventType, Pick<EventWords<never, never>, 'detail' | 'text'>>
>;
type Table = typeof policyEvents;
type FactsOf<W> = W extends EventWords<infer F, infer _> ? F : never;

/** What holds, as plain data without words. */
export type Fact = { readonly [T in keyof Table]: { readonly type: T } & FactsOf<Table[T]> }[keyof Table];

/** The event of a fact of this UPS or group, and its message. */
export function worded(fact: Fact, policy: UpsSettings | GroupSettings): readonly Effect[] {
  const { type } = fact;
  const source = policy.groupId;
  // The words of a row take the facts of its type, which the compiler cannot follow.
  const row = policyEvents[type] as EventWords<Fact, { readonly label: string }>;
  const facts = { ...fact, ...policy, label: 'label' in policy ? policy.label : policy.name };
  const detail = row.detail(facts);
  const text = row.text?.(facts) ?? null;
  return [
    ...(detail === null ? [] : [{ kind: 'recordEvent', source, type, detail } as const]),
    ...(text === null ? [] : [{ kind: 'notify', source, type, text } as const]),
  ];
}

/** Finds the facts in a change of a UPS or group. */
export interface Report<C> {
  readonly place: string;
  readonly factsOf: (change: C) => readonly Fact[];
}
