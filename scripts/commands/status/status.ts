// `ridethrough status`: the state of the running daemon, as text or as JSON.
import { parseArgs } from 'node:util';
import { SequenceModel } from '../../../shared/domain/status/status-model.js';
import { BatteriesBody } from '../../../shared/http/battery-bodies.js';
import { ExplainAllBody, ReadyBody, StatusBody } from '../../../shared/http/bodies.js';
import { requestDaemon, socketOf } from '../control/control-socket.js';
import { historyReport } from './history-report.js';
import { readHistory } from './stored-history.js';
import { statusReport } from './status-report.js';
import { complain, daemonOptions, exitCode } from '../usage.js';

/** Returns the exit code: 0 with an answer of the daemon, whatever the state of the power; 1 without one. */
export async function status(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...daemonOptions,
      history: { type: 'boolean', default: false },
    },
  });
  const socket = await socketOf(values);
  if (!socket.ok) return complain('status', socket.message, socket.code);
  const reply = await requestDaemon(socket.path, 'status', StatusBody);
  if (!reply.ok) return complain('status', reply.message);
  const history = values.history ? await readHistory(socket.path, reply.value) : null;
  if (values.json) {
    if (history !== null && !history.ok) return complain('status', history.message);
    const text = history === null ? reply.text : JSON.stringify({ ...reply.value, history: history.value });
    process.stdout.write(`${text}\n`);
    return exitCode.fine;
  }
  // Optional parts: the report is useful without them.
  const [sequence, ready, explained, batteries] = await Promise.all([
    requestDaemon(socket.path, 'sequence', SequenceModel),
    requestDaemon(socket.path, 'ready', ReadyBody),
    requestDaemon(socket.path, 'explain', ExplainAllBody),
    requestDaemon(socket.path, 'battery-health', BatteriesBody),
  ]);
  process.stdout.write(
    statusReport({
      status: reply.value,
      sequence: sequence.ok ? sequence.value : null,
      ready: ready.ok ? ready.value : null,
      explanations: explained.ok ? explained.value.ups : [],
      batteries: batteries.ok ? batteries.value.batteries : [],
    }),
  );
  if (history !== null)
    process.stdout.write(
      `\n${history.ok ? historyReport(reply.value.ups, history.value) : `${history.message}\n`}`,
    );
  return exitCode.fine;
}
