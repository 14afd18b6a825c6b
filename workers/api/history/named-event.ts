// An event as the API shows it: the row of the database with what the present configuration calls its source.
import type { EventRow } from '../../../shared/http/bodies.js';
import type { Model } from '../model.js';
import type { StoredEvent } from './events.js';

/** `ups` and `label` of a source that is no longer configured, and of `daemon`, are the source itself. */
export function namedEvent(model: Model, event: StoredEvent): EventRow {
  const row = model.rowOf(event.source);
  return { ...event, ups: row?.name ?? event.source, label: row?.label ?? event.source };
}
