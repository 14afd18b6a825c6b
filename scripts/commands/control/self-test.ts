// `ridethrough self-test NAME`: the running daemon starts the configured battery test of a UPS.
import { parseArgs } from 'node:util';
import { SelfTestIssuedBody } from '../../../shared/http/device-bodies.js';
import { requestDaemon, socketOf } from './control-socket.js';
import { complain, daemonOptions, exitCode, UsageError } from '../usage.js';

/** More than nut_control.timeout, which is 300 s at most, and the commit before it. */
const answerMs = 310_000;

/** Returns the exit code: 0 when the test was started. */
export async function selfTest(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: daemonOptions,
    allowPositionals: true,
  });
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0) throw new UsageError('give the name of one UPS');
  const socket = await socketOf(values);
  if (!socket.ok) return complain('self-test', socket.message, socket.code);
  const what = `self-test?ups=${encodeURIComponent(name)}`;
  const options = { method: 'POST', withinMs: answerMs } as const;
  const reply = await requestDaemon(socket.path, what, SelfTestIssuedBody, options);
  if (!reply.ok) return complain('self-test', reply.message);
  const { ups, command } = reply.value;
  const report = `${ups} has started ${command}. The result will be an event: ridethrough events --follow\n`;
  process.stdout.write(values.json ? `${reply.text}\n` : report);
  return exitCode.fine;
}
