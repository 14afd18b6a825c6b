// Loads new events every second and passes each on once, also across restarts of the daemon, until `stop` is aborted.
import type { EventRow } from '../../../shared/http/bodies.js';
import type { EventsRequest } from './event-pages.js';
import { maxPerPage, newestEvents } from './event-pages.js';

/** Short enough for a user; one request a second costs the daemon nothing. */
const pollIntervalMs = 1000;
/** An event that waited while the disk was full is stored late under its own time, so every poll covers this period. */
const overlapSeconds = 3600;
/** Remembered event ids: more than one poll returns, so that no event is shown twice. */
const maxRemembered = 5 * maxPerPage;

export interface FollowOptions {
  readonly request: EventsRequest;
  /** The events shown so far, oldest first, and the daemon's time then. */
  readonly shown: { readonly events: readonly EventRow[]; readonly generatedAt: number };
  readonly show: (events: readonly EventRow[]) => void;
  /** Called once when requests fail, and once when they succeed again. */
  readonly report: (message: string) => void;
  readonly stop: AbortSignal;
}

/** Resolves when `stop` is aborted. */
export async function followEvents({ request, shown, show, report, stop }: FollowOptions): Promise<void> {
  const known = new Set(shown.events.map(keyOf));
  let { generatedAt } = shown;
  let newest = shown.events.at(-1)?.ts ?? generatedAt;
  let oldestShown = shown.events[0];
  let unreachable = false;
  while (!stop.aborted) {
    // The daemon's clock may have been set back: new events are then older than the shown ones.
    const since = Math.max(request.since ?? 0, Math.floor(Math.min(newest, generatedAt)) - overlapSeconds, 0);
    const reply = await newestEvents({ ...request, since }, maxPerPage);
    if (stop.aborted) return;
    if (reply.ok) {
      if (unreachable) report('The daemon answers again.');
      ({ generatedAt } = reply.value);
      const { events } = reply.value;
      if (oldestShown !== undefined) {
        const first = oldestShown;
        // Events stored before the first page are not shown. Ids count in the order of storing, whatever a clock said.
        const start = events.findIndex((row) => keyOf(row) === keyOf(first));
        for (const row of events.slice(0, Math.max(0, start))) if (row.id < first.id) known.add(keyOf(row));
        oldestShown = undefined;
      }
      const fresh = events.filter((row) => !known.has(keyOf(row)));
      if (fresh.length > 0) show(fresh);
      for (const row of fresh) {
        known.add(keyOf(row));
        newest = Math.max(newest, row.ts);
      }
      forget(known);
    } else if (!unreachable) report(`${reply.message} Waiting for it.`);
    unreachable = !reply.ok;
    await pause(pollIntervalMs, stop);
  }
}

/** Ends early when `stop` is aborted. */
function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    stop.addEventListener('abort', done);
  });
}

/** With the time, because a database that replaces a damaged one counts its ids from 1 again. */
function keyOf({ ts, source, id }: EventRow): string {
  return `${String(ts)} ${String(id)} ${source}`;
}

function forget(known: Set<string>): void {
  for (const key of known) {
    if (known.size <= maxRemembered) return;
    known.delete(key);
  }
}
