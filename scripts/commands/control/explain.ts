// `ridethrough explain [NAME]`: the explanation of every trigger, from the running daemon.
import { parseArgs } from 'node:util';
import { ExplainAllBody } from '../../../shared/http/bodies.js';
import { requestDaemon, socketOf } from './control-socket.js';
import { printable } from '../terminal/printable.js';
import { complain, daemonOptions, exitCode, UsageError } from '../usage.js';

/** Returns the exit code: 0 with an explanation, 1 without one (the daemon does not run, no such UPS or group). */
export async function explain(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: daemonOptions,
  });
  if (positionals.length > 1)
    throw new UsageError('explain takes at most one name, of a UPS or a redundancy group');
  const socket = await socketOf(values);
  if (!socket.ok) return complain('explain', socket.message, socket.code);
  const [name] = positionals;
  const reply = await requestDaemon(
    socket.path,
    name === undefined ? 'explain' : `explain?ups=${encodeURIComponent(name)}`,
    ExplainAllBody,
  );
  if (!reply.ok) return complain('explain', reply.message);
  if (values.json) process.stdout.write(`${reply.text}\n`);
  else {
    const accounts = [...reply.value.ups, ...reply.value.groups].map(({ text }) => printable(text));
    process.stdout.write(`${accounts.join('\n\n')}\n`);
  }
  return exitCode.fine;
}
