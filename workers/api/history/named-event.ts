// An event row of the API: the row of the database with the configured name and label of its source.
import type { EventRow, StoredEvent } from '../../../shared/http/bodies.js';
import type { Model } from '../model/model.js';

/**
 * A redundancy group has one name for both. `ups` and `label` of a source that is no longer configured, and of `daemon`,
 * are the source itself.
 */
export function namedEvent(model: Model, event: StoredEvent): EventRow {
  const { source } = event;
  const row = model.rowOf(source);
  if (row !== undefined) return { ...event, ups: row.name, label: row.label };
  const group = model.daemon?.redundancyGroups.find(({ groupId }) => groupId === source);
  const name = group?.name ?? source;
  return { ...event, ups: name, label: name };
}
