// `ridethrough remote list`: the remote servers with the results of the probes, or as configured when no daemon answers.
import { parseArgs } from 'node:util';
import type { RemoteHealthRow } from '../../../shared/domain/status/status-model.js';
import { RemoteHealthBody } from '../../../shared/http/device-bodies.js';
import { readConfiguration } from '../../../supervisor/config/load/read.js';
import { unprobedRows } from '../../../supervisor/remote-health/machine/rows.js';
import { requestDaemon, socketOf } from './control-socket.js';
import { columns } from '../terminal/table.js';
import { localTime } from '../../../shared/domain/base/local-calendar.js';
import { printable } from '../terminal/printable.js';
import { complain, daemonOptions, exitCode, UsageError } from '../usage.js';

/** Returns the exit code: 0 with a list, also an empty one. */
export async function remote([what, ...rest]: readonly string[]): Promise<number> {
  if (what !== 'list') throw new UsageError('remote needs a subcommand: list');
  const { values } = parseArgs({
    args: [...rest],
    options: daemonOptions,
  });
  const socket = await socketOf(values);
  if (!socket.ok) return complain('remote', socket.message, socket.code);
  const reply = await requestDaemon(socket.path, 'remote-health', RemoteHealthBody);
  if (reply.ok) {
    process.stdout.write(values.json ? `${reply.text}\n` : table(reply.value.servers));
    return exitCode.fine;
  }
  const loaded = values.socket === undefined ? await readConfiguration(values.config) : null;
  if (loaded?.ok !== true) return complain('remote', reply.message);
  const servers = unprobedRows(loaded.configuration);
  process.stderr.write(`ridethrough remote: ${reply.message} The list shows the configured servers.\n`);
  const body: RemoteHealthBody = { generatedAt: Date.now() / 1000, servers };
  process.stdout.write(values.json ? `${JSON.stringify(body)}\n` : table(servers));
  return exitCode.fine;
}

const none = 'No remote server is configured.\n';

function table(servers: readonly RemoteHealthRow[]): string {
  if (servers.length === 0) return none;
  const header = ['SERVER', 'LOGIN', 'GROUP', 'STATUS', 'PROBED', 'TOOK', 'FAILURES', 'LAST ERROR'];
  return columns([header, ...servers.map(cellsOf)]);
}

function cellsOf(row: RemoteHealthRow): readonly string[] {
  const { lastCheckedAt, latencyMs, consecutiveFailures: failures, lastError } = row;
  const cells = [
    row.server,
    `${row.user}@${row.host}`,
    row.group,
    row.status,
    lastCheckedAt === null ? '-' : localTime(lastCheckedAt),
    latencyMs === null ? '-' : `${(latencyMs / 1000).toFixed(2)} s`,
    String(failures),
    lastError ?? '',
  ];
  // A line break in the message of a server would look like a new row.
  return cells.map((cell) => printable(cell.replaceAll('\n', '?')));
}
