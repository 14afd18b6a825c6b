// `ridethrough explain [NAME]`: why the running daemon will or will not shut down, in its own words.
import { parseArgs } from 'node:util';
import { ExplainAllBody } from '../../../shared/http/bodies.js';
import { controlSocketPath, requestDaemon } from './control-socket.js';
import { printable } from '../terminal/printable.js';
import { configOption, exitCode, jsonOption, UsageError } from '../usage.js';

/** Returns the exit code: 0 with an explanation, 1 without one (the daemon does not run, no such UPS or group). */
export async function explain(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...configOption, ...jsonOption, socket: { type: 'string' } },
  });
  if (positionals.length > 1)
    throw new UsageError('explain takes at most one name, of a UPS or a redundancy group');
  const socket =
    values.socket === undefined
      ? await controlSocketPath(values.config)
      : { ok: true as const, path: values.socket };
  if (!socket.ok) return refused(socket.message, socket.code);
  const [name] = positionals;
  const reply = await requestDaemon(
    socket.path,
    name === undefined ? 'explain' : `explain?ups=${encodeURIComponent(name)}`,
    ExplainAllBody,
  );
  if (!reply.ok) return refused(reply.message, exitCode.failed);
  if (values.json) process.stdout.write(`${reply.text}\n`);
  else {
    const accounts = [...reply.value.ups, ...reply.value.groups].map(({ text }) => printable(text));
    process.stdout.write(`${accounts.join('\n\n')}\n`);
  }
  return exitCode.fine;
}

function refused(message: string, code: number): number {
  process.stderr.write(`ridethrough explain: ${message}\n`);
  return code;
}
