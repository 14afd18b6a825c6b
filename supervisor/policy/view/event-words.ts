// How a row of the table of events words the facts of its type.
import type { PolicyClock } from '../base/clock.js';
import type { UpsSettings } from '../base/inputs.js';
import type { UpsState } from '../state/ups-state.js';

/** A UPS before an input, after its reading, and after its triggers. */
export interface Course {
  readonly before: UpsState;
  readonly seen: UpsState;
  readonly after: UpsState;
  readonly now: PolicyClock;
  readonly tookMs: number;
}

/** `F`: its facts; `S`: the settings that its words name. Null: the event is recorded already, or has no message. */
export interface EventWords<F, S = UpsSettings> {
  readonly detail: (facts: F & S) => string | null;
  /** What happened, what it means and what to do. */
  readonly text?: (facts: F & S) => string | null;
  /** The facts, where the states alone show them; null: nothing has happened. */
  readonly found?: ((course: Course) => F | null) | undefined;
}

export function words<F = object, S = UpsSettings>(
  detail: EventWords<F, S>['detail'],
  text?: EventWords<F, S>['text'],
  found?: EventWords<F, S>['found'],
): EventWords<F, S> {
  return { detail, found, ...(text === undefined ? {} : { text }) };
}
