// Runs podman as a unit of its own under systemd: what it starts is a child of this command, and must not have the limits of the unit of
// this daemon, nor end with it.
import { randomUUID } from 'node:crypto';
import type { CommandLine } from '../../../shared/domain/commands/command-line.js';
import type { CommandOutcome, OutputMode } from '../../host/run-command.js';
import type { LocalDependencies } from '../../sequence/phases/local-calls.js';
import { call } from '../../sequence/phases/local-calls.js';

/** A podman that hangs is asked again and again: systemd ends it also where this daemon is not there any more. */
const limitSeconds = 120;
/** A podman that is killed between the start of conmon and its entry in the database leaves it behind; on SIGTERM it ends after that. */
const stopSeconds = 5;
const answerSeconds = 10;

/** As `call`. Only systemd ends the unit: the end of `systemd-run`, which is all that this daemon can kill, does not. */
export async function callOutside(
  deps: Pick<LocalDependencies, 'run' | 'setTimer'>,
  signal: AbortSignal,
  seconds: number,
  command: CommandLine,
  mode?: OutputMode,
): Promise<CommandOutcome> {
  // A name is free only some time after the end of its unit.
  const unit = `ridethrough-start-${randomUUID()}.service`;
  const outcome = await call(deps, signal, seconds, [...outside(unit), ...command], mode);
  // Nothing waits for it, and one that has ended is not known any more.
  if (outcome.kind === 'abandoned')
    void call(deps, new AbortController().signal, answerSeconds, ['systemctl', '--no-block', 'stop', unit]);
  return outcome;
}

const outside = (unit: string): CommandLine => [
  ...['systemd-run', '--quiet', '--wait', '--collect', '--pipe', `--unit=${unit}`],
  // Not what podman has started.
  '--property=KillMode=process',
  `--property=TimeoutStopSec=${String(stopSeconds)}`,
  ...[`--property=RuntimeMaxSec=${String(limitSeconds)}`, '--'],
];
