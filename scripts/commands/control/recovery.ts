// `ridethrough recovery status`: who was up before the outage, by the record of the running daemon.
import { parseArgs } from 'node:util';
import type { RecoveryTarget } from '../../../shared/domain/recovery/recovery-status.js';
import { RecoveryBody } from '../../../shared/http/device-bodies.js';
import { columns } from '../terminal/table.js';
import { printable } from '../terminal/printable.js';
import { complain, daemonOptions, exitCode, UsageError } from '../usage.js';
import { requestDaemon, socketOf } from './control-socket.js';

export async function recovery([what, ...rest]: readonly string[]): Promise<number> {
  if (what !== 'status') throw new UsageError('recovery needs a subcommand: status');
  const { values } = parseArgs({ args: [...rest], options: daemonOptions });
  const socket = await socketOf(values);
  if (!socket.ok) return complain('recovery', socket.message, socket.code);
  const reply = await requestDaemon(socket.path, 'recovery', RecoveryBody);
  if (!reply.ok) return complain('recovery', reply.message);
  process.stdout.write(values.json ? `${reply.text}\n` : asText(reply.value));
  return exitCode.fine;
}

function asText({ state, reason, targets }: RecoveryBody): string {
  const head = `Recovery: ${state}${reason === '' ? '' : ` (${reason})`}\n`;
  if (targets.length === 0) return `${head}No remote server is configured.\n`;
  const header = ['SERVER', 'GROUP', 'BEFORE', 'STATE', 'LEVEL', 'WAY', 'REASON'];
  return `${head}${columns([header, ...targets.map(cellsOf)])}`;
}

function cellsOf({ name, group, before, state, level, way, reason }: RecoveryTarget): readonly string[] {
  return [name, group, before, state, level, way, reason].map((cell) =>
    printable(cell.replaceAll('\n', '?')),
  );
}
