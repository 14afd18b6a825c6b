// How a row of the table of events words the facts of its type.

/** What the words of each event may name besides its facts. */
export interface Labelled {
  /** The label of the UPS, or the name of the redundancy group. */
  readonly label: string;
}

export interface EventWords<F> {
  /** The text of the event; null: it is recorded already. */
  readonly detail: (facts: F & Labelled) => string | null;
  /** The message: what happened, what it means and what to do. Undefined or null: an event without a message. */
  readonly text?: (facts: F & Labelled) => string | null;
}

/** A row of the table. `F`: the facts that its words need. */
export function words<F = object>(
  detail: EventWords<F>['detail'],
  text?: EventWords<F>['text'],
): EventWords<F> {
  return text === undefined ? { detail } : { detail, text };
}
