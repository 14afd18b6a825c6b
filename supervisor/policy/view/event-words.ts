// How a row of the table of events words the facts of its type.
import type { UpsSettings } from '../base/inputs.js';

/** `F`: its facts; `S`: the settings that its words name. Null: the event is recorded already, or has no message. */
export interface EventWords<F, S = UpsSettings> {
  readonly detail: (facts: F & S) => string | null;
  /** What happened, what it means and what to do. */
  readonly text?: (facts: F & S) => string | null;
}

export function words<F = object, S = UpsSettings>(
  detail: EventWords<F, S>['detail'],
  text?: EventWords<F, S>['text'],
): EventWords<F, S> {
  return text === undefined ? { detail } : { detail, text };
}
