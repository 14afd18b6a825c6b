// `ridethrough status`: the state of the running daemon, as text or as JSON.
import { parseArgs } from 'node:util';
import { SequenceModel } from '../../../shared/domain/status-model.js';
import { ExplainAllBody, ReadyBody, StatusBody } from '../../../shared/http/bodies.js';
import { controlSocketPath, requestDaemon } from '../control/control-socket.js';
import { historyReport } from './history-report.js';
import { keptHistory } from './stored-history.js';
import { statusReport } from './status-report.js';
import { configOption, exitCode, jsonOption } from '../usage.js';

/** Returns the exit code: 0 with an answer of the daemon, whatever the state of the power; 1 without one. */
export async function status(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...configOption,
      ...jsonOption,
      socket: { type: 'string' },
      history: { type: 'boolean', default: false },
    },
  });
  const place =
    values.socket === undefined
      ? await controlSocketPath(values.config)
      : { ok: true as const, path: values.socket };
  if (!place.ok) {
    process.stderr.write(`ridethrough status: ${place.message}\n`);
    return place.code;
  }
  const told = await requestDaemon(place.path, 'status', StatusBody);
  if (!told.ok) return failed(told.message);
  const kept = values.history ? await keptHistory(place.path, told.value) : null;
  if (values.json) {
    if (kept !== null && !kept.ok) return failed(kept.message);
    const text = kept === null ? told.text : JSON.stringify({ ...told.value, history: kept.value });
    process.stdout.write(`${text}\n`);
    return exitCode.fine;
  }
  // Optional parts: the report is useful without them.
  const [sequence, ready, explained] = await Promise.all([
    requestDaemon(place.path, 'sequence', SequenceModel),
    requestDaemon(place.path, 'ready', ReadyBody),
    requestDaemon(place.path, 'explain', ExplainAllBody),
  ]);
  process.stdout.write(
    statusReport({
      status: told.value,
      sequence: sequence.ok ? sequence.value : null,
      ready: ready.ok ? ready.value : null,
      explanations: explained.ok ? explained.value.ups : [],
    }),
  );
  if (kept !== null)
    process.stdout.write(`\n${kept.ok ? historyReport(told.value.ups, kept.value) : `${kept.message}\n`}`);
  return exitCode.fine;
}

function failed(message: string): number {
  process.stderr.write(`ridethrough status: ${message}\n`);
  return exitCode.failed;
}
