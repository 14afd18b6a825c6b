// Deletes events after a confirmation: requests of at most a thousand items, each of one UPS.
import { countText } from '../../../shared/domain/base/format.js';
import { shortList } from '../../../shared/domain/base/list-names.js';
import type { EventRow } from '../../../shared/http/bodies.js';
import type { ApiClient } from '../../daemon/api-client.js';
import { askConfirmation } from '../../ui/confirmation.js';
import { formatDateTime } from '../../ui/phrases.js';

/** The server refuses more (specification/api-writes.md#event-deletion). */
const maxItems = 1000;
/** Between two requests: the API takes 20 actions a second of one login. */
const paceMs = 60;

/** The number of deleted events, null without confirmation. Rejects with a RequestError. */
export async function deleteEvents(api: ApiClient, rows: readonly EventRow[]): Promise<number | null> {
  const oldest = Math.min(...rows.map(({ ts }) => ts));
  const newest = Math.max(...rows.map(({ ts }) => ts));
  const names = [...new Set(rows.map(({ label }) => label))];
  const yes = await askConfirmation({
    title: `Delete ${countText(rows.length, 'event')}?`,
    lines: [
      `Of ${shortList(names, 4)}, from ${formatDateTime(oldest)} to ${formatDateTime(newest)}.`,
      'This cannot be undone. The deletion is recorded under your name.',
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
    for (let from = 0; from < items.length; from += maxItems) {
      if (sent > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
      sent += 1;
      const path = `/api/v1/ups/${encodeURIComponent(source)}/events`;
      const body = { items: items.slice(from, from + maxItems) };
      deleted += (await api.send<{ readonly deleted: number }>('DELETE', path, body)).deleted;
    }
  }
  return deleted;
}
