// `ridethrough recovery status|check`: who was up before the outage, by the record of the running daemon; and whether each machine
// comes back after the next one.
import { parseArgs } from 'node:util';
import type { CheckedMachine, Finding } from '../../../shared/domain/recovery/recovery-check.js';
import type { RecoveryTarget } from '../../../shared/domain/recovery/recovery-status.js';
import { RecoveryBody, RecoveryCheckBody } from '../../../shared/http/device-bodies.js';
import { countText } from '../../../shared/domain/base/format.js';
import { localTime } from '../../../shared/domain/base/local-calendar.js';
import { columns } from '../terminal/table.js';
import { printable } from '../terminal/printable.js';
import { complain, daemonOptions, exitCode, UsageError } from '../usage.js';
import { requestDaemon, socketOf } from './control-socket.js';

export async function recovery([what, ...rest]: readonly string[]): Promise<number> {
  if (what !== 'status' && what !== 'check')
    throw new UsageError('recovery needs a subcommand: status or check');
  const { values } = parseArgs({ args: [...rest], options: daemonOptions });
  const socket = await socketOf(values);
  if (!socket.ok) return complain('recovery', socket.message, socket.code);
  if (what === 'check') return check(socket.path, values.json);
  const reply = await requestDaemon(socket.path, 'recovery', RecoveryBody);
  if (!reply.ok) return complain('recovery', reply.message);
  process.stdout.write(values.json ? `${reply.text}\n` : asText(reply.value));
  return exitCode.fine;
}

/** 1 where there is a warning, with and without --json. */
async function check(socket: string, isJson: boolean): Promise<number> {
  const reply = await requestDaemon(socket, 'recovery/check', RecoveryCheckBody);
  if (!reply.ok) return complain('recovery', reply.message);
  process.stdout.write(isJson ? `${reply.text}\n` : checkText(reply.value));
  return reply.value.machines.some(hasWarning) ? exitCode.failed : exitCode.fine;
}

const hasWarning = ({ findings }: CheckedMachine): boolean =>
  findings.some(({ level }) => level === 'warning');

function checkText({ reason, machines }: RecoveryCheckBody): string {
  const warned = machines.filter(hasWarning).length;
  const head =
    machines.length === 0
      ? 'No plan shuts a machine down.'
      : `${String(warned)} of ${countText(machines.length, 'machine')} with a warning.`;
  const lines = [head, ...(reason === '' ? [] : [reason]), ...machines.flatMap(machineLines)];
  return `${lines.map((line) => printable(line.replaceAll('\n', '?'))).join('\n')}\n`;
}

function machineLines({
  name,
  isHost,
  group,
  evidence,
  proven,
  drilled,
  findings,
}: CheckedMachine): readonly string[] {
  const dated = (label: string, seconds: number | null, text: string): readonly string[] =>
    seconds === null ? [] : [row(label, `${text} ${localTime(seconds)}`)];
  return [
    '',
    isHost ? `${name} (${group})` : `${name}, server of ${group}`,
    row('way', evidence),
    ...dated('proven', proven, 'seen up again after an outage on'),
    ...dated('asked', drilled, 'by the drill of'),
    ...findings.flatMap(findingLines),
  ];
}

function findingLines({ level, text, remedy }: Finding): readonly string[] {
  return [row(level === 'warning' ? 'WARNING' : 'note', text), row('  do', remedy)];
}

const row = (label: string, text: string): string => `  ${label.padEnd(9)}${text}`;

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
