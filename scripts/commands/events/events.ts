// `ridethrough events`: the events of the daemon's history; with --follow also new ones.
import { parseArgs } from 'node:util';
import type { EventRow } from '../../../shared/http/bodies.js';
import { ExplainAllBody, StatusBody } from '../../../shared/http/bodies.js';
import { requestDaemon, socketOf } from '../control/control-socket.js';
import type { EventsRequest } from './event-pages.js';
import { maxPerPage, newestEvents } from './event-pages.js';
import { EventLines } from './event-table.js';
import { followEvents } from './follow-events.js';
import { parseTime } from '../time.js';
import { stopOfTerminal } from '../terminal/broken-pipe.js';
import { complain, daemonOptions, exitCode, integerOption } from '../usage.js';

/** Returns the exit code: 0 with an answer, also an empty one; 1 without one, or for an unknown UPS. */
export async function events(args: readonly string[], stop?: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...daemonOptions,
      follow: { type: 'boolean', short: 'f', default: false },
      limit: { type: 'string' },
      verbosity: { type: 'string', default: '2' },
      since: { type: 'string' },
      ups: { type: 'string' },
    },
  });
  const since = values.since === undefined ? null : parseTime(values.since, Date.now() / 1000);
  const limit = integerOption('limit', values.limit, [1, maxPerPage]) ?? defaultLimit(values.follow, since);
  const verbosity = integerOption('verbosity', values.verbosity, [0, 2]) ?? 2;
  const socket = await socketOf(values);
  if (!socket.ok) return complain('events', socket.message, socket.code);
  const who = await resolveName(socket.path, values.ups);
  const request: EventsRequest = { socketPath: socket.path, verbosity, since, of: who.of };
  const reply = await newestEvents(request, limit);
  if (!reply.ok) return complain('events', reply.message);
  const { events: first } = reply.value;
  // Events outlive the UPS in the configuration: only a name without events is wrong.
  if (first.length === 0 && who.problem !== null) return complain('events', who.problem);
  const table = new EventLines();
  const show = (rows: readonly EventRow[]): void => {
    const lines = values.json ? rows.map((row) => `${JSON.stringify(row)}\n`).join('') : table.more(rows);
    process.stdout.write(lines);
  };
  if (!values.follow) {
    process.stdout.write(values.json ? `${reply.text}\n` : first.length === 0 ? none : table.begin(first));
    return exitCode.fine;
  }
  if (values.json) show(first);
  else process.stdout.write(table.begin(first));
  const report = (message: string): void => void complain('events', message);
  await followEvents({ request, shown: reply.value, show, report, stop: stop ?? stopOfTerminal() });
  return exitCode.fine;
}

const none = 'No event matches. (With statistics.enabled = false the daemon stores no events.)\n';

function defaultLimit(follow: boolean, since: number | null): number {
  if (since !== null) return maxPerPage;
  return follow ? 10 : 100;
}

/** The rows of `--ups NAME`: of a UPS or redundancy group by any of its names, also of one that is no longer configured. */
async function resolveName(
  socketPath: string,
  name: string | undefined,
): Promise<{ readonly of: EventsRequest['of']; readonly problem: string | null }> {
  if (name === undefined) return { of: null, problem: null };
  const [explained, status] = await Promise.all([
    requestDaemon(socketPath, `explain?ups=${encodeURIComponent(name)}`, ExplainAllBody),
    requestDaemon(socketPath, 'status', StatusBody),
  ]);
  const upses = explained.ok ? explained.value.ups.map(({ ups }) => ups) : [];
  const groups = status.ok ? status.value.redundancyGroups.filter((group) => group.name === name) : [];
  const names = new Set([name, ...upses, ...groups.map(({ groupId }) => groupId)]);
  return {
    of: (row) => names.has(row.ups) || names.has(row.source) || names.has(row.label),
    problem: explained.ok || name === 'daemon' ? null : explained.message,
  };
}
