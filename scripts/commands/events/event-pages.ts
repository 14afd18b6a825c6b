// Loads events over the control socket, page by page from the newest back.
import type { EventRow } from '../../../shared/http/bodies.js';
import { EventsBody } from '../../../shared/http/bodies.js';
import type { DaemonReply } from '../control/control-socket.js';
import { requestDaemon } from '../control/control-socket.js';

export interface EventsRequest {
  readonly socketPath: string;
  readonly verbosity: number;
  /** Unix seconds, inclusive. */
  readonly since: number | null;
  /** Null: of every UPS and of the daemon. */
  readonly of: ((row: EventRow) => boolean) | null;
}

/** The API's own bound of one page. */
export const maxPerPage = 10_000;
/** A million events, years of a bad grid. The search for one UPS ends there. */
const maxPages = 100;

/** The newest `limit` (1 to `maxPerPage`) events of a query, oldest first. */
export async function newestEvents(
  { socketPath, verbosity, since, of }: EventsRequest,
  limit: number,
): Promise<DaemonReply<EventsBody>> {
  // The API does not filter by UPS. The page then has its maximum length and is filtered here.
  const perPage = of === null ? limit : maxPerPage;
  const query = new URLSearchParams({ limit: String(perPage), verbosity: String(verbosity) });
  if (since !== null) query.set('from', String(since));
  let events: readonly EventRow[] = [];
  let generatedAt: number | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const reply = await requestDaemon(socketPath, `events?${query.toString()}`, EventsBody);
    if (!reply.ok) return reply;
    const page = reply.value.events;
    generatedAt ??= reply.value.generatedAt;
    events = [...(of === null ? page : page.filter(of)), ...events].slice(-limit);
    const [oldest] = page;
    if (oldest === undefined || page.length < perPage || events.length >= limit) break;
    query.set('before', String(oldest.ts));
    query.set('beforeSource', oldest.source);
    query.set('beforeId', String(oldest.id));
  }
  const value: EventsBody = { generatedAt: generatedAt ?? 0, events };
  return { ok: true, value, text: JSON.stringify(value) };
}
