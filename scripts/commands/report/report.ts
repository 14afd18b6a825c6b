// `ridethrough report`: a day, a week or a month, as the daemon writes it.
import { parseArgs } from 'node:util';
import { PeriodName } from '../../../shared/domain/base/local-calendar.js';
import { requestText, socketOf } from '../control/control-socket.js';
import { printable } from '../terminal/printable.js';
import { complain, exitCode, formatOption, formatOptions, UsageError } from '../usage.js';

/** Returns the exit code: 0 with a report, 1 without an answer. */
export async function report(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...formatOptions,
      period: { type: 'string', default: 'day' },
    },
  });
  const format = formatOption(values) ?? 'text';
  if (!PeriodName.is(values.period)) throw new UsageError('--period expects day, week or month');
  const [date, ...more] = positionals;
  if (more.length > 0) throw new UsageError('expected at most one date');
  if (date !== undefined && date !== 'current' && !/^\d{4}-\d\d-\d\d$/.test(date))
    throw new UsageError(`${JSON.stringify(date)} is not a date: use 2026-01-31, or "current"`);
  const socket = await socketOf(values);
  if (!socket.ok) return complain('report', socket.message, socket.code);
  const query = new URLSearchParams({ period: values.period, format, ...(date && { date }) });
  const written = await requestText(socket.path, `report?${query.toString()}`);
  if (!written.ok) return complain('report', written.message);
  const text = format === 'json' ? `${written.value}\n` : written.value;
  process.stdout.write(format === 'text' ? printable(text) : text);
  return exitCode.fine;
}
