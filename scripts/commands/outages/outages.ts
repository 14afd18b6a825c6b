// `ridethrough outages`: the times on battery in the daemon's history; with `show N` one of them.
import { parseArgs } from 'node:util';
import { OutageBody, OutagesBody } from '../../../shared/http/outage-bodies.js';
import { requestDaemon, requestText, socketOf } from '../control/control-socket.js';
import { printable } from '../terminal/printable.js';
import { parseTime } from '../time.js';
import { complain, exitCode, formatOption, formatOptions, integerOption, UsageError } from '../usage.js';
import { outageList, outageText } from './outage-text.js';

const maxOutages = 1000;

/** Returns the exit code: 0 with an answer, also an empty list; 1 without one, or for an unknown outage. */
export async function outages(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...formatOptions,
      limit: { type: 'string' },
      since: { type: 'string' },
      ups: { type: 'string' },
    },
  });
  const id = idOf(positionals);
  const format = formatOption(values);
  if (id === null && format === 'html')
    throw new UsageError('--html is for one outage: outages show N --html');
  if (id !== null && (values.limit ?? values.since ?? values.ups) !== undefined)
    throw new UsageError('--limit, --since and --ups are for the list');
  const limit = integerOption('limit', values.limit, [1, maxOutages]) ?? 100;
  const since = values.since === undefined ? null : parseTime(values.since, Date.now() / 1000);
  const query = new URLSearchParams(id === null ? { limit: String(limit) } : { id });
  if (since !== null) query.set('from', String(since));
  if (values.ups !== undefined) query.set('ups', values.ups);
  const socket = await socketOf(values);
  if (!socket.ok) return complain('outages', socket.message, socket.code);
  const what = id === null ? 'outages' : 'outage';
  if (format !== undefined) {
    query.set('format', format);
    const written = await requestText(socket.path, `${what}?${query.toString()}`);
    if (!written.ok) return complain('outages', written.message);
    process.stdout.write(format === 'json' ? `${written.value}\n` : written.value);
    return exitCode.fine;
  }
  const reply =
    id === null
      ? await requestDaemon(socket.path, `${what}?${query.toString()}`, OutagesBody)
      : await requestDaemon(socket.path, `${what}?${query.toString()}`, OutageBody);
  if (!reply.ok) return complain('outages', reply.message);
  const { value } = reply;
  process.stdout.write(printable('outages' in value ? outageList(value.outages) : outageText(value)));
  return exitCode.fine;
}

/** The number of `show N`; null for the list. */
function idOf(positionals: readonly string[]): string | null {
  const [verb, id, ...more] = positionals;
  if (verb === undefined) return null;
  if (verb !== 'show' || id === undefined || more.length > 0)
    throw new UsageError('expected nothing, or: outages show N');
  if (!/^\d{1,15}$/.test(id)) throw new UsageError(`${JSON.stringify(id)} is not the number of an outage`);
  return id;
}
