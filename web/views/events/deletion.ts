// Deleting events: one request per UPS, a thousand items at most each, and only after a confirmation.
import type { EventRow } from '../../../shared/http/bodies.js';
import type { Requests } from '../../daemon/requests.js';
import { confirmed } from '../../ui/confirmation.js';
import { counted, moment } from '../../ui/phrases.js';

/** The server refuses more (specification/api-writes.md#event-deletion). */
const mostItems = 1000;
/** Between two requests: the API takes 20 actions a second of one login. */
const paceMs = 60;

/** How many were deleted, or null when it was not confirmed. Rejects with a Refusal. */
export async function deleteEvents(requests: Requests, rows: readonly EventRow[]): Promise<number | null> {
  const oldest = Math.min(...rows.map(({ ts }) => ts));
  const newest = Math.max(...rows.map(({ ts }) => ts));
  const names = [...new Set(rows.map(({ label }) => label))];
  const yes = await confirmed({
    title: `Delete ${counted(rows.length, 'event')}?`,
    lines: [
      `Of ${names.slice(0, 4).join(', ')}${names.length > 4 ? ` and ${String(names.length - 4)} more` : ''}, from ${moment(oldest)} to ${moment(newest)}.`,
      'They are gone for good. That you deleted them is recorded.',
    ],
    action: 'Delete',
  });
  if (!yes) return null;
  let deleted = 0;
  let sent = 0;
  for (const source of new Set(rows.map((row) => row.source))) {
    const items = rows
      .filter((row) => row.source === source)
      .map(({ id, ts, eventType }) => ({ id, ts, eventType }));
    for (let from = 0; from < items.length; from += mostItems) {
      if (sent > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
      sent += 1;
      const path = `/api/v1/ups/${encodeURIComponent(source)}/events`;
      const body = { items: items.slice(from, from + mostItems) };
      deleted += (await requests.send<{ readonly deleted: number }>('DELETE', path, body)).deleted;
    }
  }
  return deleted;
}
