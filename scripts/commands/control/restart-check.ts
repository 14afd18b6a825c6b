// `ridethrough restart-check`: whether the daemon may be restarted now. Packages ask before they change to a new version.
import * as t from 'io-ts';
import { parseArgs } from 'node:util';
import { powerSource, statusWords } from '../../../shared/domain/ups/status-words.js';
import { printable } from '../terminal/printable.js';
import { complain, configOption, exitCode } from '../usage.js';
import { requestDaemon, socketOf } from './control-socket.js';

/** Only what is judged: the daemon that runs may be of another version, with more or fewer fields. */
const Ups = t.type({
  label: t.string,
  status: t.string,
  connectionState: t.string,
  timeOnBattery: t.number,
  triggerActive: t.boolean,
});
const Status = t.type({ ups: t.readonlyArray(Ups) });
const Sequence = t.type({ active: t.boolean });

/** Returns 0 when a restart interrupts nothing. What is not known is a reason to wait, not to go on. */
export async function restartCheck(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { ...configOption, socket: { type: 'string' } },
  });
  const socket = await socketOf(values);
  if (!socket.ok) return complain('restart-check', socket.message, socket.code);
  const [status, sequence] = await Promise.all([
    requestDaemon(socket.path, 'status', Status),
    requestDaemon(socket.path, 'sequence', Sequence),
  ]);
  if (!status.ok) return complain('restart-check', status.message);
  if (!sequence.ok) return complain('restart-check', sequence.message);
  const reasons = [
    ...(sequence.value.active ? ['a shutdown sequence runs'] : []),
    ...status.value.ups.flatMap((ups) => reasonOf(ups) ?? []),
  ];
  process.stdout.write(reasons.map((reason) => `${printable(reason)}\n`).join(''));
  return reasons.length === 0 ? exitCode.fine : exitCode.failed;
}

function reasonOf({ label, status, connectionState, timeOnBattery, triggerActive }: t.TypeOf<typeof Ups>) {
  if (triggerActive) return `a trigger of ${label} is active`;
  if (timeOnBattery > 0 || powerSource(statusWords(status)) === 'battery') return `${label} is on battery`;
  if (connectionState !== 'OK') return `${label} cannot be read: whether it is on battery is not known`;
  return null;
}
