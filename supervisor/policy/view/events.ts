// The events that policy records, one row each with the words of its facts. shared/domain/status/events.ts has the other half of the
// row: category, whether a message is sent, and when.
import type { EventType } from '../../../shared/domain/status/events.js';
import type { Effect } from '../base/effects.js';
import type { EventWords } from './event-words.js';
import { powerWords } from './power-words.js';
import { qualityWords } from './quality-words.js';
import { statusWords } from './status-words.js';

const table = { ...powerWords, ...statusWords, ...qualityWords } satisfies Partial<
  Record<EventType, EventWords<never>>
>;
type Table = typeof table;
type FactsOf<W> = W extends EventWords<infer F> ? F : never;

/** What holds, as plain data without words. */
export type Fact = { readonly [T in keyof Table]: { readonly type: T } & FactsOf<Table[T]> }[keyof Table];

/** The types that it records. */
export const policyEvents = Object.keys(table) as readonly (keyof Table)[];

/** The event of a fact, and its message. */
export function worded(fact: Fact, source: string, label: string): readonly Effect[] {
  const { type } = fact;
  // The words of a row take the facts of its type, which the compiler cannot follow.
  const row = table[type] as EventWords<Fact>;
  const facts = { ...fact, label };
  const detail = row.detail(facts);
  const text = row.text?.(facts) ?? null;
  return [
    ...(detail === null ? [] : [{ kind: 'recordEvent', source, type, detail } as const]),
    ...(text === null ? [] : [{ kind: 'notify', source, type, text } as const]),
  ];
}
